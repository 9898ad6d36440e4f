package bootdyno.launch

import bootdyno.engine.PersonServer
import bootdyno.engine.PersonServer.Companion.CRUD
import bootdyno.engine.PersonServer.Other
import bootdyno.model.DataFile
import bootdyno.model.Stage
import bootdyno.model.Workload
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path

class ChainVerificationTest {
    @TempDir
    lateinit var folder: Path

    private fun chain(csv: String = "name\nAnn\n\"Jörg \"\"J\"\"\"\n"): Workload {
        val file = folder.resolve("names.csv")
        Files.writeString(file, csv)
        return Workload("crud", steps = CRUD, data = DataFile(file.toString(), listOf("name"), 2))
    }

    private fun verify(server: PersonServer, workload: Workload = chain()): List<Double> = verified(server.base, workload)

    private fun refused(server: PersonServer, workload: Workload = chain()): String {
        val failure = shouldThrow<LaunchFailed> { verify(server, workload) }
        failure.stage shouldBe Stage.VERIFY
        return failure.reason
    }

    @Test
    fun `a chain is gone through from end to end, row by row`() {
        PersonServer().use { server ->
            verify(server).min() shouldBeGreaterThan 0.0
            server.created.toList() shouldContainExactly listOf("Ann", "Jörg \"J\"", "Ann", "Jörg \"J\"")
            server.asked shouldBe mapOf("create" to 4, "read" to 4, "update" to 4, "delete" to 4)
            server.wrong.shouldBeEmpty()
            server.persons.keys.shouldBeEmpty()
        }
    }

    @Test
    fun `the step that answers wrongly is named`() {
        PersonServer { if (it.operation == "update") Other(409, "taken") else null }.use { server ->
            refused(server) shouldBe "update: PUT /person/1 answered wrongly: status 200 was expected, 409 came: 'taken'."
        }
        PersonServer { if (it.operation == "read") Other(200, PersonServer.person(1, "Bob")) else null }.use { server ->
            refused(server) shouldContain
                "read: GET /person/1 answered wrongly: the body '{\"id\":1,\"name\":\"Ann\"}' was expected"
        }
    }

    @Test
    fun `an answer without the value to capture is a wrong answer`() {
        PersonServer { if (it.operation == "create") Other(201, """{ "key": 1 }""") else null }.use { server ->
            refused(server) shouldBe
                "create: POST /person answered wrongly: there is no value at $.id to capture as id: '{ \"key\": 1 }'."
        }
        PersonServer { if (it.operation == "create") Other(201, "created") else null }.use { server ->
            refused(server) shouldContain "answered wrongly"
        }
    }

    @Test
    fun `a data file that is gone or broken is named`() {
        PersonServer().use { server ->
            refused(server, chain("name\nAnn,7\n")) shouldBe
                "Line 2 of the data file ${folder.resolve("names.csv")} has 2 values for 1 columns."
            val gone = chain().also { Files.delete(folder.resolve("names.csv")) }
            refused(server, gone) shouldContain "The data file ${folder.resolve("names.csv")} cannot be read"
        }
    }
}
