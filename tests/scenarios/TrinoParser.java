import io.trino.sql.ReservedIdentifiers;
import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.Array;
import io.trino.sql.tree.CallArgument;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.LongLiteral;
import io.trino.sql.tree.Property;
import io.trino.sql.tree.QualifiedName;
import io.trino.sql.tree.SetProperties;
import io.trino.sql.tree.SetSession;
import io.trino.sql.tree.Statement;
import io.trino.sql.tree.StringLiteral;
import io.trino.sql.tree.Table;
import io.trino.sql.tree.TableExecute;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Says what Trino's parser makes of statements.
 *
 * <p>Argument: a file with one statement per line. The first line of the output has the words that
 * Trino reserves; then there is one line per statement. Lists are joined by U+001F. A line has groups
 * joined by U+001D: what the statement is, the parts of the table's name, and then one group for each
 * element of a property (a column; or a transform, its column and its parameter), argument of a
 * procedure or value of a session's property. What does not parse is `error` and the parser's message.
 */
public class TrinoParser {
  private static final SqlParser PARSER = new SqlParser();
  private static final Set<String> OF_IDENTIFIERS = Set.of("partitioning", "sorted_by");

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(list(new ArrayList<>(new TreeSet<>(ReservedIdentifiers.reservedIdentifiers()))));
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      List<String> groups;
      try {
        groups = statement(PARSER.createStatement(line));
      } catch (ParsingException refused) {
        groups = List.of("error", refused.getMessage());
      }
      out.println(String.join("\u001d", groups));
    }
  }

  private static List<String> statement(Statement statement) {
    List<String> groups = new ArrayList<>();
    if (statement instanceof SetProperties set) {
      Property property = set.getProperties().get(0);
      String name = property.getName().getValue();
      groups.add("SET " + name);
      groups.add(parts(set.getName()));
      for (Expression value : ((Array) property.getNonDefaultValue()).getValues()) {
        String text = ((StringLiteral) value).getValue();
        groups.add(OF_IDENTIFIERS.contains(name) ? field(PARSER.createExpression(text)) : text);
      }
    } else if (statement instanceof TableExecute execute) {
      groups.add("EXECUTE " + execute.getProcedureName().getValue());
      groups.add(parts(((Table) execute.getTable()).getName()));
      for (CallArgument argument : execute.getArguments()) {
        String value = ((StringLiteral) argument.getValue()).getValue();
        groups.add(list(List.of(argument.getName().orElseThrow().getValue(), value)));
      }
    } else if (statement instanceof SetSession set) {
      groups.add("SET SESSION");
      groups.add(parts(set.getName()));
      groups.add(((StringLiteral) set.getValue()).getValue());
    } else {
      groups.add(statement.getClass().getSimpleName());
    }
    return groups;
  }

  private static String parts(QualifiedName name) {
    return list(name.getOriginalParts().stream().map(Identifier::getValue).toList());
  }

  private static String field(Expression expression) {
    if (expression instanceof FunctionCall call) {
      List<String> words = new ArrayList<>(List.of(call.getName().getSuffix()));
      for (Expression argument : call.getArguments()) {
        words.add(
            argument instanceof LongLiteral number
                ? String.valueOf(number.getParsedValue())
                : ((Identifier) argument).getValue());
      }
      return list(words);
    }
    return ((Identifier) expression).getValue();
  }

  private static String list(List<String> words) {
    return words.stream().collect(Collectors.joining("\u001f"));
  }
}
