package bootdyno.subjects.servletjdbcclient

import bootdyno.subjects.person.Person
import org.springframework.jdbc.core.RowMapper
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

/**
 * Each operation is one transaction. Changes and deletions first read the row, as the JPA variant does, although plain SQL would not need
 * this. Open, because Spring implements transactions in a subclass.
 */
@Service
open class People(private val client: JdbcClient) {
    @Transactional
    open fun create(person: Person): Person =
        client.sql("INSERT INTO person (name, description) VALUES (?, ?) RETURNING id, name, description")
            .params(person.name, person.description)
            .query(ROW)
            .single()

    @Transactional(readOnly = true)
    open fun list(): List<Person> = client.sql("SELECT id, name, description FROM person").query(ROW).list()

    @Transactional(readOnly = true)
    open fun read(id: Long): Person? = row(id)

    @Transactional
    open fun update(id: Long, person: Person): Person? = row(id)?.let {
        client.sql(
            "UPDATE person SET name = ?, description = ? WHERE id = ?",
        ).params(person.name, person.description, id).update()
        it.copy(name = person.name, description = person.description)
    }

    @Transactional
    open fun delete(id: Long): Boolean = row(id)?.let { client.sql("DELETE FROM person WHERE id = ?").param(id).update() } != null

    private fun row(id: Long): Person? =
        client.sql("SELECT id, name, description FROM person WHERE id = ?").param(id).query(ROW).optional().orElse(null)

    private companion object {
        val ROW = RowMapper { row, _ -> Person(row.getLong("id"), row.getString("name"), row.getString("description")) }
    }
}
