package bootdyno.subjects.person.contract

import java.sql.Connection
import java.sql.ResultSet

fun Connection.run(sql: String) {
    createStatement().use { it.execute(sql) }
}

fun <T> Connection.rows(sql: String, row: (ResultSet) -> T): List<T> = createStatement().use { statement ->
    statement.executeQuery(sql).use { rows -> generateSequence { if (rows.next()) row(rows) else null }.toList() }
}
