import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.InternalWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.shaded.com.fasterxml.jackson.core.JsonFactory;
import org.apache.iceberg.shaded.com.fasterxml.jackson.core.json.JsonReadFeature;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.JsonNode;
import org.apache.iceberg.shaded.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/**
 * Writes what Spark SQL cannot: columns of types that it lacks, columns with an initial default,
 * and equality deletes.
 *
 * <p>Argument: a file with one command per line, each with the `location` of a table. A command
 * either creates it (`create`: its `schema`, `spec` and `properties`), appends `rows` (one data file
 * per partition; as `uncounted` without the counts of NaN), deletes by equality (`delete`: the `columns` to compare, `rows`, and the id of the
 * `spec` to write them under), or adds a column (`add`: `name`, `type`, `default`). Rows are objects
 * by column name, their values in Iceberg's single-value JSON form, and NaN and Infinity.
 */
public class WriteTables {
  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build());

  public static void main(String[] arguments) throws IOException {
    HadoopTables tables = new HadoopTables(new Configuration());
    try (BufferedReader commands = Files.newBufferedReader(Path.of(arguments[0]))) {
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        JsonNode command = JSON.readTree(line);
        String location = command.get("location").asText();
        if (command.has("create")) {
          create(tables, location, command.get("create"));
        } else {
          change(tables.load(location), command);
        }
      }
    }
    // Iceberg's worker pool would keep the program alive.
    System.exit(0);
  }

  private static void create(HadoopTables tables, String location, JsonNode wanted) {
    Schema schema = SchemaParser.fromJson(wanted.get("schema").toString());
    PartitionSpec spec = PartitionSpecParser.fromJson(schema, wanted.get("spec").toString());
    Map<String, String> properties = new HashMap<>();
    wanted.get("properties").fields()
        .forEachRemaining(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    tables.create(schema, spec, properties, location);
  }

  private static void change(Table table, JsonNode command) throws IOException {
    if (command.has("rows")) {
      append(table, command.get("rows"), command.has("uncounted"));
    } else if (command.has("delete")) {
      delete(table, command.get("delete"));
    } else {
      add(table, command.get("add"));
    }
  }

  private static void add(Table table, JsonNode column) {
    Type type = Types.fromPrimitiveString(column.get("type").asText());
    JsonNode value = column.get("default");
    Literal<?> literal = value.isTextual() ? Literal.of(value.asText()) : Literal.of(value.asLong());
    table.updateSchema().addColumn(column.get("name").asText(), type, literal.to(type)).commit();
  }

  private static void append(Table table, JsonNode rows, boolean isUncounted) throws IOException {
    AppendFiles append = table.newAppend();
    PartitionSpec spec = table.spec();
    for (Map.Entry<PartitionKey, List<Record>> group : byPartition(table, spec, rows).entrySet()) {
      DataWriter<Record> writer =
          Parquet.writeData(newFile(table))
              .forTable(table)
              .createWriterFunc(InternalWriter::createWriter)
              .withSpec(spec)
              .withPartition(group.getKey())
              .build();
      try (writer) {
        group.getValue().forEach(writer::write);
      }
      DataFile file = writer.toDataFile();
      append.appendFile(isUncounted ? uncounted(spec, file) : file);
    }
    append.commit();
  }

  private static DataFile uncounted(PartitionSpec spec, DataFile file) {
    Metrics metrics =
        new Metrics(
            file.recordCount(),
            file.columnSizes(),
            file.valueCounts(),
            file.nullValueCounts(),
            null,
            file.lowerBounds(),
            file.upperBounds());
    return DataFiles.builder(spec).copy(file).withMetrics(metrics).build();
  }

  private static void delete(Table table, JsonNode wanted) throws IOException {
    RowDelta delta = table.newRowDelta();
    PartitionSpec spec = table.specs().get(wanted.get("spec").asInt());
    List<Integer> ids = new ArrayList<>();
    wanted.get("columns").forEach(name -> ids.add(table.schema().findField(name.asText()).fieldId()));
    Schema columns = TypeUtil.select(table.schema(), java.util.Set.copyOf(ids));
    for (Map.Entry<PartitionKey, List<Record>> group :
        byPartition(table, spec, wanted.get("rows")).entrySet()) {
      EqualityDeleteWriter<Record> writer =
          Parquet.writeDeletes(newFile(table))
              .forTable(table)
              .metricsConfig(MetricsConfig.forTable(table))
              .rowSchema(columns)
              .equalityFieldIds(ids)
              .createWriterFunc(InternalWriter::createWriter)
              .withSpec(spec)
              .withPartition(group.getKey())
              .buildEqualityWriter();
      try (writer) {
        for (Record row : group.getValue()) {
          writer.write(projected(row, columns));
        }
      }
      delta.addDeletes(writer.toDeleteFile());
    }
    delta.commit();
  }

  private static Record projected(Record row, Schema columns) {
    Record projected = GenericRecord.create(columns);
    columns.columns().forEach(field -> projected.setField(field.name(), row.getField(field.name())));
    return projected;
  }

  private static OutputFile newFile(Table table) {
    return table.io().newOutputFile(
        table.locationProvider().newDataLocation(UUID.randomUUID() + ".parquet"));
  }

  private static Map<PartitionKey, List<Record>> byPartition(
      Table table, PartitionSpec spec, JsonNode rows) {
    Map<PartitionKey, List<Record>> groups = new LinkedHashMap<>();
    PartitionKey key = new PartitionKey(spec, table.schema());
    for (JsonNode row : rows) {
      Record record = record(table.schema().asStruct(), row);
      key.partition(record);
      groups.computeIfAbsent(key.copy(), copy -> new ArrayList<>()).add(record);
    }
    return groups;
  }

  private static Record record(Types.StructType type, JsonNode row) {
    Record record = GenericRecord.create(type);
    for (Types.NestedField field : type.fields()) {
      record.setField(field.name(), value(field.type(), row.get(field.name())));
    }
    return record;
  }

  private static Object value(Type type, JsonNode json) {
    if (json == null || json.isNull()) {
      return null;
    }
    if (type.isStructType()) {
      return record(type.asStructType(), json);
    }
    if (type.isListType()) {
      List<Object> values = new ArrayList<>();
      json.forEach(item -> values.add(value(type.asListType().elementType(), item)));
      return values;
    }
    if (type.isMapType()) {
      Map<String, Object> values = new HashMap<>();
      json.fields().forEachRemaining(
          entry -> values.put(entry.getKey(), value(type.asMapType().valueType(), entry.getValue())));
      return values;
    }
    return SingleValueParser.fromJson(type, json);
  }
}
