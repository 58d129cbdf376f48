import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionParser;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.metrics.InMemoryMetricsReporter;
import org.apache.iceberg.metrics.ScanReportParser;
import org.apache.iceberg.parquet.ParquetBloomRowGroupFilter;
import org.apache.iceberg.parquet.ParquetDictionaryRowGroupFilter;
import org.apache.iceberg.parquet.ParquetMetricsRowGroupFilter;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.JsonNode;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.iceberg.shaded.org.apache.parquet.schema.MessageType;

/**
 * Lets Iceberg plan scans, and judge the row groups of the files that it keeps as its reader does.
 *
 * <p>Arguments: a file with one request per line, and the file to write answers to. A request names
 * a table (`name`, `location`) and holds its `scans`: each an expression in Iceberg's JSON form
 * (`filter`), whose literals are read as values of their column's type where `typed`, and else as
 * what they are in JSON. There is one answer per scan, in order: either `counters`, those of the
 * scan report and of row groups, and the `files` of its tasks; or the exception that Iceberg
 * `raises`.
 */
public class Judge {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Configuration CONFIGURATION = new Configuration();

  public static void main(String[] arguments) throws IOException {
    HadoopTables tables = new HadoopTables(CONFIGURATION);
    try (BufferedReader requests = Files.newBufferedReader(Path.of(arguments[0]));
        BufferedWriter answers = Files.newBufferedWriter(Path.of(arguments[1]))) {
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        JsonNode request = JSON.readTree(line);
        Table table = tables.load(request.get("location").asText());
        try (Footers footers = new Footers(table)) {
          for (JsonNode scan : request.get("scans")) {
            ObjectNode answer = JSON.createObjectNode();
            answer.put("table", request.get("name").asText());
            judge(table, scan, footers, answer);
            answers.write(JSON.writeValueAsString(answer));
            answers.newLine();
          }
        }
      }
    }
    // Iceberg's worker pool would keep the program alive.
    System.exit(0);
  }

  private static void judge(Table table, JsonNode scan, Footers footers, ObjectNode answer)
      throws IOException {
    InMemoryMetricsReporter reporter = new InMemoryMetricsReporter();
    ArrayNode files = JSON.createArrayNode();
    RowGroups rowGroups = new RowGroups(table.schema(), footers);
    try {
      Expression filter = expression(scan, table.schema());
      try (CloseableIterable<FileScanTask> tasks =
          table.newScan().filter(filter).metricsReporter(reporter).planFiles()) {
        for (FileScanTask task : tasks) {
          files.add(task.file().location());
          rowGroups.judge(task);
        }
      }
    } catch (RuntimeException error) {
      answer.put("raises", error.toString());
      return;
    }
    answer.set("files", files);
    ObjectNode counters = answer.putObject("counters");
    if (reporter.scanReport() != null) { // a table without a snapshot is not reported
      JsonNode metrics = JSON.readTree(ScanReportParser.toJson(reporter.scanReport())).get("metrics");
      metrics.fields().forEachRemaining(
          metric -> {
            if (metric.getValue().has("value")) {
              counters.set(metric.getKey(), metric.getValue().get("value"));
            }
          });
    }
    rowGroups.counters.forEach(counters::put);
  }

  private static Expression expression(JsonNode scan, Schema schema) {
    String filter = scan.get("filter").toString();
    boolean typed = scan.get("typed").asBoolean();
    return typed ? ExpressionParser.fromJson(filter, schema) : ExpressionParser.fromJson(filter);
  }

  /** The open Parquet files of one table, and their schemas with the field ids that are read. */
  private static final class Footers implements AutoCloseable {
    private final NameMapping mapping;
    private final Map<String, ParquetFileReader> readers = new HashMap<>();
    private final Map<String, MessageType> schemas = new HashMap<>();

    Footers(Table table) {
      String json = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
      this.mapping = json == null ? null : NameMappingParser.fromJson(json);
    }

    ParquetFileReader reader(String location) {
      return readers.computeIfAbsent(location, Footers::open);
    }

    MessageType schema(String location) {
      return schemas.computeIfAbsent(location, name -> withIds(reader(name).getFileMetaData().getSchema()));
    }

    /** As Iceberg's ReadConf does. */
    private MessageType withIds(MessageType schema) {
      if (ParquetSchemaUtil.hasIds(schema)) {
        return schema;
      }
      return mapping == null
          ? ParquetSchemaUtil.addFallbackIds(schema)
          : ParquetSchemaUtil.applyNameMapping(schema, mapping);
    }

    private static ParquetFileReader open(String location) {
      try {
        return ParquetFileReader.open(
            HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(location), CONFIGURATION));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    @Override
    public void close() throws IOException {
      for (ParquetFileReader reader : readers.values()) {
        reader.close();
      }
    }
  }

  /** Counts of row groups of one scan, after each of the filters of Iceberg's ReadConf. */
  private static final class RowGroups {
    private final Schema schema;
    private final Footers footers;
    private final Map<String, Long> counters = new HashMap<>();

    RowGroups(Schema schema, Footers footers) {
      this.schema = schema;
      this.footers = footers;
      for (String name :
          new String[] {"row-groups", "after-statistics", "after-dictionary", "after-bloom", "rows", "bytes"}) {
        counters.put(name, 0L);
      }
    }

    void judge(FileScanTask task) throws IOException {
      if (task.file().format() != FileFormat.PARQUET) {
        return;
      }
      String location = task.file().location();
      ParquetFileReader reader = footers.reader(location);
      MessageType fileSchema = footers.schema(location);
      Expression residual = task.residual();
      var statistics = new ParquetMetricsRowGroupFilter(schema, residual);
      var dictionary = new ParquetDictionaryRowGroupFilter(schema, residual);
      var bloom = new ParquetBloomRowGroupFilter(schema, residual);
      for (BlockMetaData rowGroup : reader.getRowGroups()) {
        count("row-groups", 1);
        if (!statistics.shouldRead(fileSchema, rowGroup)) {
          continue;
        }
        count("after-statistics", 1);
        if (!dictionary.shouldRead(fileSchema, rowGroup, reader.getDictionaryReader(rowGroup))) {
          continue;
        }
        count("after-dictionary", 1);
        if (!bloom.shouldRead(fileSchema, rowGroup, reader.getBloomFilterDataReader(rowGroup))) {
          continue;
        }
        count("after-bloom", 1);
        count("rows", rowGroup.getRowCount());
        count("bytes", rowGroup.getCompressedSize());
      }
    }

    private void count(String name, long number) {
      counters.merge(name, number, Long::sum);
    }
  }
}
