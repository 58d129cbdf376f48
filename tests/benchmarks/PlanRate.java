import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionParser;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Plans queries with Iceberg, on so many threads at once, each query on one of them; manifests are
 * kept in Iceberg's cache.
 *
 * <p>Arguments: a table's metadata file, a file with an expression in Iceberg's JSON form per line,
 * and the number of threads. Prints, of the second of two rounds over all of them: seconds, seconds
 * of CPU of the process, and the files that were kept.
 */
public class PlanRate {
  public static void main(String[] arguments) throws Exception {
    HadoopFileIO files = new HadoopFileIO(new Configuration());
    files.initialize(
        Map.of(
            CatalogProperties.IO_MANIFEST_CACHE_ENABLED, "true",
            CatalogProperties.IO_MANIFEST_CACHE_MAX_TOTAL_BYTES, String.valueOf(1L << 30),
            CatalogProperties.IO_MANIFEST_CACHE_MAX_CONTENT_LENGTH, String.valueOf(1L << 28)));
    Table table = new BaseTable(new StaticTableOperations(arguments[0], files), "planned");
    List<Expression> filters;
    try (Stream<String> lines = Files.lines(Path.of(arguments[1]))) {
      filters = lines.map(line -> ExpressionParser.fromJson(line, table.schema())).toList();
    }
    int threads = Integer.parseInt(arguments[2]);
    planAll(table, filters, threads);

    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long started = System.nanoTime();
    long startedCpu = process.getProcessCpuTime();
    long kept = planAll(table, filters, threads);
    double seconds = (System.nanoTime() - started) / 1e9;
    double cpu = (process.getProcessCpuTime() - startedCpu) / 1e9;
    System.out.println(seconds + " " + cpu + " " + kept);
    System.exit(0); // Iceberg's worker pool would keep the program alive
  }

  private static long planAll(Table table, List<Expression> filters, int threads)
      throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicLong kept = new AtomicLong();
    List<Thread> planners =
        Stream.generate(
                () ->
                    new Thread(
                        () -> {
                          for (int i = next.getAndIncrement();
                              i < filters.size();
                              i = next.getAndIncrement()) {
                            kept.addAndGet(plan(table, filters.get(i)));
                          }
                        }))
            .limit(threads)
            .toList();
    planners.forEach(Thread::start);
    for (Thread planner : planners) {
      planner.join();
    }
    return kept.get();
  }

  private static long plan(Table table, Expression filter) {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().filter(filter).planFiles()) {
      long kept = 0;
      for (FileScanTask task : tasks) {
        kept++;
      }
      return kept;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
