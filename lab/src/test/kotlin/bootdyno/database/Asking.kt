package bootdyno.database

import java.sql.Connection
import java.sql.DriverManager

/** A session as a subject opens it, by what it is told of its database. */
internal fun RunDatabase.connect(): Connection = DriverManager.getConnection(
    environment.getValue("SPRING_DATASOURCE_URL"),
    environment.getValue("SPRING_DATASOURCE_USERNAME"),
    environment.getValue("SPRING_DATASOURCE_PASSWORD"),
)

internal fun Connection.run(sql: String) {
    createStatement().use { it.execute(sql) }
}

internal fun Connection.text(sql: String): String = createStatement().use { statement ->
    statement.executeQuery(sql).use { rows ->
        check(rows.next()) { "no row came for $sql" }
        rows.getString(1)
    }
}

internal fun <T> RunDatabase.asked(action: (Connection) -> T): T = connect().use(action)
