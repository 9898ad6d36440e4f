package bootdyno.report

import bootdyno.model.Database
import bootdyno.model.Step
import bootdyno.report.format.renderMarkdown
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class ParitySectionTest {
    private val read = listOf("BEGIN", "SELECT", "COMMIT")
    private val update = listOf("BEGIN", "SELECT", "UPDATE", "COMMIT")

    /** The small report, its subjects executing what is given here and its requests called [steps]. */
    private fun markdown(servlet: Map<String, List<String>>, reactive: Map<String, List<String>>, vararg steps: String): String {
        val report = Fixture.small.asked { copy(database = Database.Embedded()) }.planned {
            copy(
                subject = subject.copy(statements = if (subject.name == "servlet") servlet else reactive),
                workload = workload.copy(steps = steps.map { Step(it, path = "/") }),
            )
        }
        return renderMarkdown(page(report))
    }

    @Test
    fun `what all execute alike is called equal, and shown once`() {
        val both = mapOf("read" to read, "update" to update, "refused" to emptyList())
        val page = markdown(both, both, "read", "update")
        page shouldContain "## SQL statements per request"
        page shouldContain "Equal: all 2 applications execute the same statements for read and update."
        page shouldContain "| operation | statements | servlet, reactive | measured here |"
        page shouldContain "| update | ✓ equal | BEGIN SELECT UPDATE COMMIT | yes |"
        page shouldContain "| refused | ✓ equal | none | – |"
    }

    @Test
    fun `different statements of operations that were not measured are listed separately`() {
        val page = markdown(mapOf("read" to read, "list" to read), mapOf("read" to read, "list" to update), "read")
        page shouldContain "Equal: all 2 applications execute the same statements for read. " +
            "Different, but not measured here: list."
        page shouldContain "| list | ✗ different | BEGIN SELECT COMMIT | BEGIN SELECT UPDATE COMMIT | – |"
    }

    @Test
    fun `different work is not called equal`() {
        markdown(
            mapOf("read" to read, "update" to update),
            mapOf("read" to read, "update" to read),
            "read",
            "update",
        ) shouldContain "Not equal: for update the applications execute different or unknown statements"
    }

    @Test
    fun `an operation that was not counted of one of them is not called equal`() {
        val page = markdown(mapOf("read" to read, "update" to update), mapOf("read" to read), "read", "update")
        page shouldContain "Not equal: for update"
        page shouldContain "| update | ? not counted | BEGIN SELECT UPDATE COMMIT | – | yes |"
    }

    @Test
    fun `requests called after no operation prove nothing`() {
        val both = mapOf("read" to read)
        markdown(both, both, "get") shouldContain "The statements of these requests are unknown."
    }

    @Test
    fun `a single subject with known statements is not compared`() {
        markdown(mapOf("read" to read), emptyMap(), "read") shouldNotContain "## SQL statements per request"
        renderMarkdown(page(Fixture.small)) shouldNotContain "## SQL statements per request"
    }

    @Test
    fun `a report says which database was asked`() {
        markdown(emptyMap(), emptyMap()) shouldContain "PostgreSQL of our own"
        renderMarkdown(page(Fixture.small)) shouldNotContain "PostgreSQL"
    }
}
