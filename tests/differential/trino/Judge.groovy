// A Trino in this process that answers requests, each a line of JSON on the standard input with a
// line of JSON on the standard output. Its one argument is an empty directory for the tables, which
// are those of the catalog "lake".

import com.fasterxml.jackson.databind.ObjectMapper
import com.google.inject.Key
import io.airlift.json.JsonCodec
import io.airlift.slice.Slice
import io.opentelemetry.api.trace.Span
import io.trino.Session
import io.trino.execution.warnings.WarningCollector
import io.trino.metadata.QualifiedObjectName
import io.trino.plugin.iceberg.IcebergPlugin
import io.trino.spi.eventlistener.EventListener
import io.trino.spi.eventlistener.QueryCompletedEvent
import io.trino.spi.predicate.TupleDomain
import io.trino.spi.security.ViewExpression
import io.trino.spi.type.TimeZoneKey
import io.trino.sql.planner.PlanFragmenter
import io.trino.sql.planner.SplitSourceFactory
import io.trino.sql.planner.SymbolsExtractor
import io.trino.sql.planner.optimizations.PlanNodeSearcher
import io.trino.sql.planner.plan.FilterNode
import io.trino.sql.planner.plan.TableScanNode
import io.trino.testing.DistributedQueryRunner
import io.trino.testing.TestingSession
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit

// Trino logs to the standard output as well.
def answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8")
System.setOut(System.err)

class Events implements EventListener {
    def codec = JsonCodec.jsonCodec(QueryCompletedEvent)
    def byQuery = new ConcurrentHashMap<String, String>()

    void queryCompleted(QueryCompletedEvent event) {
        byQuery[event.metadata.queryId] = codec.toJson(event)
    }

    String await(String queryId) {
        def end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20)
        while (!byQuery.containsKey(queryId)) {
            if (System.nanoTime() > end) throw new IllegalStateException("no event of " + queryId)
            Thread.sleep(2)
        }
        return byQuery.remove(queryId)
    }
}

def events = new Events()
def runner = DistributedQueryRunner.builder(TestingSession.testSessionBuilder().build())
    .setWorkerCount(0)
    .setEventListener(events)
    .build()
runner.installPlugin(new IcebergPlugin())
runner.createCatalog("lake", "iceberg", [
    "iceberg.catalog.type": "TESTING_FILE_METASTORE",
    "hive.metastore.catalog.dir": "local:///",
    "fs.local.enabled": "true",
    "local.location": args[0],
])
def defaults = TestingSession.testSessionBuilder(runner.sessionPropertyManager)
    .setCatalog("lake")
    .setSchema("db")
    .build()
runner.execute(defaults, "CREATE SCHEMA db")

def fragmenter = runner.coordinator.getInstance(Key.get(PlanFragmenter))
def splitSources = runner.coordinator.getInstance(Key.get(SplitSourceFactory))

def session = { request ->
    def built = Session.builder(defaults)
    built.timeZoneKey = TimeZoneKey.getTimeZoneKey(request.zone ?: "UTC")
    request.settings?.each { name, value -> built.setCatalogSessionProperty("lake", name, value) }
    return built.build()
}

// Values as Trino holds them, of which the other side knows the type.
def value = { found ->
    switch (found) {
        case Slice: return found.getBytes().encodeHex().toString()
        case io.trino.spi.type.Int128: return found.toBigInteger().toString()
        case io.trino.spi.type.LongTimestampWithTimeZone:
            return found.epochMillis * 1000 + found.picosOfMilli.intdiv(1000000)
        case Double: return found.isInfinite() || found.isNaN() ? found.toString() : found
        default: return found
    }
}
def bound = { range, end ->
    range."${end}Unbounded" ? null : value(range."${end}BoundedValue")
}
def domains = { TupleDomain found ->
    if (found.isNone()) return null
    return found.domains.get().collectEntries { column, domain ->
        [(column.qualifiedName): [
            type: column.type.toString(),
            nulls: domain.isNullAllowed(),
            ranges: domain.values.isAll() ? [[null, false, null, false]]
                : domain.values.isNone() ? []
                : domain.values.ranges.orderedRanges.collect {
                    [bound(it, "low"), it.lowInclusive, bound(it, "high"), it.highInclusive]
                },
        ]]
    }
}

// Each scan of a query as it is planned: the predicate that the connector took, the filter above
// the scan, and the files of its splits.
def scans = { request ->
    runner.inTransaction(session(request), { inner ->
        def plan = runner.createPlan(inner, request.sql)
        def filters = PlanNodeSearcher.searchFrom(plan.root).whereIsInstanceOfAny(FilterNode).findAll()
        def higher = filters.findAll { !(it.source instanceof TableScanNode) }
        def above = filters.collectEntries { [(it.source.id): it.predicate] }
        def sources = fragmenter.createSubPlans(inner, plan, false, WarningCollector.NOOP)
            .allFragments
            .collectMany { splitSources.createSplitSources(inner, Span.getInvalid(), it).entrySet() }
            .collectEntries { [(it.key): it.value] }
        return PlanNodeSearcher.searchFrom(plan.root).whereIsInstanceOfAny(TableScanNode).findAll()
            .collect { scan ->
                def table = scan.table.connectorHandle
                def filter = above[scan.id]
                def files = []
                def source = sources[scan.id]
                while (!source.isFinished()) {
                    files.addAll(source.getNextBatch(1000).get().splits.collect { it.connectorSplit.path() })
                }
                source.close()
                return [
                    table: table.tableName,
                    enforced: domains(table.enforcedPredicate),
                    unenforced: domains(table.unenforcedPredicate),
                    filter: filter?.toString(),
                    filtered: filter == null ? [] : SymbolsExtractor.extractUnique(filter)
                        .collect { scan.assignments[it]?.qualifiedName },
                    higher: higher.collect { it.predicate.toString() },
                    files: files,
                ]
            }
    })
}

def run = { request ->
    def done = runner.executeWithPlan(session(request), request.sql)
    def id = done.queryId().toString()
    def result = [rows: done.result().materializedRows.collect { it.fields*.toString() }]
    return request.event ? result + [event: events.await(id)] : result
}

// Access control that lets only some rows of a table through.
def guard = { request ->
    def filter = ViewExpression.builder()
        .identity("user").catalog("lake").schema("db").expression(request.condition).build()
    runner.accessControl.rowFilter(new QualifiedObjectName("lake", "db", request.table), "user", filter)
    return [:]
}

def operations = [scans: { [scans: scans(it)] }, run: run, guard: guard]
def json = new ObjectMapper()
System.in.newReader("UTF-8").eachLine { line ->
    def request = json.readValue(line, Map)
    def answer
    try {
        answer = operations[request.op](request)
    } catch (Throwable e) {
        def cause = e
        while (cause.cause != null) cause = cause.cause
        answer = [error: e.toString(), cause: cause.toString()]
        e.printStackTrace()
    }
    answers.println(json.writeValueAsString(answer))
}
answers.flush()
System.exit(0)
