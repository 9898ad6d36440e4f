package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.RandomAccessFile
import java.nio.file.Path
import java.util.zip.GZIPOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.outputStream
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** `--import`, up to the plan: nothing is started. */
class ImportCommandsTest(@param:TempDir private val folder: Path) {
    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(words.toList())

    private fun planned(vararg words: String): CliktCommandTestResult =
        dyno("plan", "--url", "http://127.0.0.1:8080", *words).also { it.statusCode shouldBe ExitCode.FINE }

    private fun refused(vararg words: String): String =
        dyno("plan", "--url", "http://127.0.0.1:8080", *words).also { it.statusCode shouldBe ExitCode.INPUT }.stderr

    private fun file(name: String, text: String): String = folder.resolve(name).apply { writeText(text) }.toString()

    private fun log(name: String = "access.log"): String = file(
        name,
        (1..9).joinToString("\n") { """127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "GET /orders/$it HTTP/1.1" 200 1""" } +
            "\n" + """127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "POST /orders HTTP/1.1" 201 1""",
    )

    @Test
    fun `what is requested and what is left out is shown before the plan`() {
        val said = planned("--import", log(), "--write-experiment", "${folder.resolve("mine.yaml")}")
        said.stderr shouldContain "access.log (access log): 1 operation\n  orders-id  GET /orders/{orders-id}  weight 9\n"
        said.stderr shouldContain ": POST /orders"
        said.stdout shouldContain "as-is/access"
        said.stdout shouldContain "Run it: ./dyno run --url http://127.0.0.1:8080 --import $folder/access.log"
    }

    @Test
    fun `the written experiment finds the values of its placeholders, also after another import`() {
        val written = folder.resolve("own").createDirectories().resolve("mine.yaml")
        planned("--import", log(), "--write-experiment", "$written")
        val data = written.parent.listDirectoryEntries("access-*.csv").single()
        data.readText().lines().filter { it.isNotEmpty() }.toSet() shouldBe setOf("orders-id") + (1..9).map { "$it" }
        written.readText() shouldContain "data: $data"
        file("access.log", """"GET /vets HTTP/1.1" 200""")
        planned("--import", "$folder/access.log", "--write-experiment", "${written.resolveSibling("other.yaml")}")
        dyno("plan", "$written").output shouldContain "as-is/access"
        written.parent.listDirectoryEntries(".*").shouldBeEmpty()
    }

    @Test
    fun `a body beside an http file is read, a host chooses the requests`() {
        file("order.json", """{ "item": "tea" }""")
        val http = file(
            "shop.http",
            "POST https://shop.test/orders\nContent-Type: application/json\n\n< ./order.json\n\n###\nGET http://localhost/x",
        )
        val written = folder.resolve("mine.yaml")
        planned("--import", http, "--import-host", "shop.test", "--write-experiment", "$written").stderr shouldContain
            "1 request, other host localhost: GET http://localhost/x"
        written.readText() shouldContain """body: "{ \"item\": \"tea\" }""""
        val said = refused("--import", file("other.http", "GET https://shop.test/orders"))
        said shouldContain "add --import-host shop.test"
    }

    @Test
    fun `variables of an http file are in the settings of a folder above`() {
        listOf("http", ".vscode").forEach { folder.resolve(it).createDirectories() }
        file(".vscode/settings.json", """{ "rest-client.environmentVariables": { "dev": { "id": "7" } } }""")
        planned("--import", file("http/x.http", "GET http://localhost/orders/{{id}}")).stderr shouldContain "GET /orders/7"
    }

    @Test
    fun `an OpenAPI document refers to files in its folder, and not to others through a link`() {
        val elsewhere = folder.resolve("elsewhere").createDirectories().resolve("o.yaml").apply { writeText("get: {}") }
        val docs = folder.resolve("docs").createDirectories()
        docs.resolve("linked.yaml").createSymbolicLinkPointingTo(elsewhere)
        file("docs/own.yaml", "get: { operationId: list, parameters: [ { in: query, name: size, example: 5 } ] }")
        val paths = listOf("own", "linked", "../elsewhere/o", "none").map { "  /${it.last()}: { ${'$'}ref: ./$it.yaml }" }
        val document = file("docs/api.yaml", "openapi: 3.0.3\npaths:\n" + paths.joinToString("\n"))
        val said = planned("--import", document, "--write-experiment", "${folder.resolve("mine.yaml")}").stderr
        said shouldContain "list  GET /n?size=5"
        listOf("linked.yaml", "../elsewhere/o.yaml", "none.yaml").forEach { said shouldContain "it refers to $it" }
    }

    @Test
    fun `a server that is named by its address is the application of its own requests`() {
        val har = file(
            "shop.har",
            """{ "log": { "entries": [ { "request": { "method": "GET", "url": "https://shop.test/orders", "headers": [] },
                "response": { "status": 200 } } ] } }""",
        )
        dyno("plan", "--url", "https://shop.test", "--import", har).output shouldContain "as-is/shop"
    }

    @Test
    fun `flags that contradict each other are refused`() {
        refused("--import", log(), "--path", "/x") shouldContain "--import replaces --path and --request."
        refused("--import-host", "x") shouldContain "--import-host has no effect without --import."
        val experiment = file("x.yaml", "title: X")
        dyno("plan", experiment, "--import", log()).stderr shouldContain "For --import, name the application instead"
    }

    @Test
    fun `a file that cannot be read says what to do`() {
        refused("--import", "$folder/none.log") shouldContain "There is no file $folder/none.log."
        refused("--import", "$folder") shouldContain "is a folder"
        refused("--import", file("empty.log", "")) shouldContain "empty.log: the file is empty"
        val zipped = folder.resolve("access.log.gz")
        GZIPOutputStream(zipped.outputStream()).use { it.write("x".toByteArray()) }
        refused("--import", "$zipped") shouldContain "is compressed\n    run: gunzip -c $zipped > plain.log"
        RandomAccessFile(folder.resolve("large.log").toFile(), "rw").use { it.setLength(65L shl 20) }
        val said = refused("--import", "$folder/large.log")
        said shouldContain "large.log is larger than 64 MiB.\nImport a part of it"
        said shouldNotContain "Exception"
    }
}
