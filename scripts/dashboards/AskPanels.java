import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;

/** Asks a store over JDBC what Metabase and Tableau ask: its tables and columns, then each query; prints a line each. */
public final class AskPanels {
    public static void main(String[] arguments) throws Exception {
        var properties = new Properties();
        properties.setProperty("duckdb.read_only", "true");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + arguments[0], properties)) {
            System.out.println("tables\t" + count(connection.getMetaData().getTables(null, "main", "%", null)));
            System.out.println("columns\t" + count(connection.getMetaData().getColumns(null, "main", "%", "%")));
            for (int position = 1; position < arguments.length; position++) {
                Path file = Path.of(arguments[position]);
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery(Files.readString(file))) {
                    System.out.println(file.getFileName() + "\t" + count(rows));
                }
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE main.not_allowed (x INT)");
                throw new IllegalStateException("the store could be written");
            } catch (java.sql.SQLException expected) {
                System.out.println("read-only\tyes");
            }
        }
    }

    private static int count(ResultSet rows) throws Exception {
        int found = 0;
        while (rows.next()) {
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                rows.getObject(column);
            }
            found++;
        }
        return found;
    }
}
