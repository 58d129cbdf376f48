import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.iceberg.types.TypeUtil;

/**
 * Tells in which mode metrics of each column are written.
 *
 * <p>Arguments: a file with the metadata of one table per line, and the file to write to: for each,
 * one line that maps the names of columns to their modes.
 */
public class Modes {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws IOException {
    try (BufferedReader tables = Files.newBufferedReader(Path.of(arguments[0]));
        BufferedWriter modes = Files.newBufferedWriter(Path.of(arguments[1]))) {
      for (String line = tables.readLine(); line != null; line = tables.readLine()) {
        TableMetadata table = TableMetadataParser.fromJson(line);
        MetricsConfig config =
            MetricsConfig.from(table.properties(), table.schema(), table.sortOrder());
        ObjectNode found = JSON.createObjectNode();
        for (String name : TypeUtil.indexByName(table.schema().asStruct()).keySet()) {
          found.put(name, config.columnMode(name).toString().toLowerCase(Locale.ROOT));
        }
        modes.write(JSON.writeValueAsString(found));
        modes.newLine();
      }
    }
  }
}
