package bootdyno.subjects.person.contract

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.time.Duration.Companion.seconds

/** Often enough that a statement for every few requests shows, such as a validation. */
private const val TIMES = 20

/** Keys come in batches of up to 50. */
private const val CREATED = 60

/** Both pools open as many connections by default, and a new one costs statements of its own. */
private const val POOL = 10

/**
 * That the subjects ask the same of the database: what an operation executes is written down by the server itself, and stands in
 * the descriptors, where reports find it.
 */
@Tag("full")
class StatementParityTest {
    @TestFactory
    fun `each operation executes the statements of the descriptor, each once`(): List<DynamicTest> =
        DatabaseSubject.entries.map { subject -> dynamicTest(subject.name) { counted(subject) shouldBe subject.statements() } }

    @Test
    fun `the subjects execute the same statements, but for an update that changes nothing, which JPA leaves out`() {
        val (jpa, sql, r2dbc) = listOf(
            DatabaseSubject.SERVLET_JDBC,
            DatabaseSubject.SERVLET_JDBC_CLIENT,
            DatabaseSubject.REACTIVE_R2DBC,
        ).map { it.statements() }
        sql shouldBe r2dbc
        jpa - UNCHANGED shouldBe sql - UNCHANGED
        jpa.getValue(UNCHANGED) shouldBe sql.getValue(UNCHANGED) - "UPDATE"
    }

    private fun counted(subject: DatabaseSubject): Map<String, List<String>> {
        val running = RunningSubjects.empty(subject)
        val process = running.process
        val database = running.database
        val people = List(TIMES) { process.create("Person number $it") }
        fun update(person: SeenPerson, name: String) =
            process.ask("PUT", "/person/${person.id}", personJson(name, person.description, person.id)).status
        // Whatever a driver or a mapper does only once, it does now.
        people.take(3).forEach { update(it, it.name + "!") }
        check(eventually(30.seconds) { database.sessions().all == POOL }) { "no $POOL connections: ${database.sessions()}" }
        val operations = mapOf<String, (SeenPerson) -> Int>(
            "create" to { process.ask("POST", "/person", personJson(it.name, it.description)).status },
            "list" to { process.ask("GET", "/person").status },
            "read" to { process.ask("GET", "/person/${it.id}").status },
            "update" to { update(it, it.name + "?") },
            UNCHANGED to { update(it, it.name + "?") },
            "delete" to { process.ask("DELETE", "/person/${it.id}").status },
            "read-unknown" to { process.ask("GET", "/person/${it.id}").status },
            "create-refused" to { process.ask("POST", "/person", personJson("x", it.description)).status },
        )
        return operations.mapValues { (operation, ask) ->
            val times = if (operation == "create") CREATED else TIMES
            verbs(database, times) { ask(people[it % TIMES]) shouldBe STATUS[operation] }
        }
    }

    /** The verbs that each of so many [times] an operation is [asked] for had executed; all of them where they were not the same. */
    private fun verbs(database: TestDatabase, times: Int, asked: (Int) -> Unit): List<String> {
        settle(database)
        val statements = database.statementsOf {
            repeat(times, asked)
            settle(database)
        }.map { it.trim().substringBefore(' ').substringBefore(';').uppercase() }
        val first = statements.take(statements.size / times)
        return if (statements == List(times) { first }.flatten()) first else statements
    }

    private fun settle(database: TestDatabase) =
        check(eventually(10.seconds) { database.sessions().active == 0 }) { "still busy: ${database.sessions()}" }

    private companion object {
        const val UNCHANGED = "update-unchanged"
        val STATUS = mapOf(
            "create" to 201,
            "list" to 200,
            "read" to 200,
            "update" to 200,
            UNCHANGED to 200,
            "delete" to 200,
            "read-unknown" to 404,
            "create-refused" to 400,
        )
    }
}
