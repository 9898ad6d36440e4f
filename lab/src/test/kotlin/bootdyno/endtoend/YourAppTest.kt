package bootdyno.endtoend

import bootdyno.cli.shellWords
import bootdyno.faults.Shell
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Execution
import org.junit.jupiter.api.parallel.ExecutionMode
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.Executors
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Every command of docs/your-app.md in the order of the page, in the folder of an application that Boot Dyno knows nothing of. */
@Tag("endtoend")
@Execution(ExecutionMode.CONCURRENT)
internal class YourAppTest : InWorld("yourapp") {
    @Test
    fun `every command of the guide for one's own application does what the page says`() {
        val guide = Path.of("../docs/your-app.md").readText()
        val commands = Regex("(?m)^\\./dyno (.+)$").findAll(guide).map { it.groupValues[1] }.toList()
        commands.shouldNotBeEmpty()
        val running = runningServer()
        try {
            val shell = Shell(environment = mapOf("PATH" to "$JAVA_FOLDER:${System.getenv("PATH")}"), folder = project())
            commands.forEach { command ->
                val words = adapted(shellWords(command).shouldNotBeNull(), running.address.port)
                withClue(command) { world.dyno(*words.toTypedArray(), shell = shell).exits(0) }
            }
        } finally {
            running.stop(0)
        }
    }

    @Test
    fun `the paths of an application are found on its first page`() {
        val shell = Shell(folder = project())
        world.dyno("init", "target/orders.jar", shell = shell).exits(0).says("Requests: GET /, GET /fast, GET /wait\\?ms=20\\.")
        world.dyno("plan", "orders.yaml", shell = shell).exits(0).says("virtual-threads-on/mix")
    }

    @Test
    fun `a path that no variant serves ends the run after one start of each, with one message`() {
        val shell = Shell(folder = project())
        world.dyno("run", "target/orders.jar", "--path", "/oders", shell = shell).exits(2)
            .says("no cell answers as expected").says("GET /oders answered wrongly: status 200 was expected, 404 came")
    }

    @Test
    fun `an application that does not start is told of in its own words, and its file is written`() {
        val project = project()
        world.dyno("init", "target/orders.jar", "--jvm=-XX:+NoSuchFlag", shell = Shell(folder = project)).exits(2)
            .says("It says: Unrecognized VM option 'NoSuchFlag'")
        project.resolve("orders.yaml").exists() shouldBe true
    }

    /** As a build leaves it: the jar, a compose file, the body of a request and an access log in the project's folder. */
    private fun project(): Path {
        val project = world.root.resolve("project").createDirectories()
        Path.of(
            "../subjects/planted/target/planted.jar",
        ).copyTo(project.resolve("target").createDirectories().resolve("orders.jar"))
        project.resolve("compose.yaml").writeText("services: { db: { image: \"postgres:18\", ports: [ \"5432\" ] } }\n")
        project.resolve("order.json").writeText("{ \"item\": 1 }\n")
        val logged = (1..5).map { "/wait?ms=$it" } + "/fast"
        project.resolve("access.log").writeText(
            logged.joinToString("\n") { "127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] \"GET $it HTTP/1.1\" 200 2" },
        )
        return project
    }

    /** On a load that no figure counts of, with what is here. Images, compose files, requests that it does not serve, and other kinds of `--vary` are planned only. */
    private fun adapted(words: List<String>, port: Int): List<String> {
        val here = words.mapIndexed { index, word ->
            if (words.getOrNull(index - 1) == "--java") "${Runtime.version().feature()}" else word.replace(":8080", ":$port")
        }
        val isPlanned = words.any {
            it in setOf("--image", "compose.yaml", "--request") || it.startsWith("jvm:") ||
                it.startsWith("env:")
        }
        return when {
            isPlanned -> listOf("plan") + here.drop(1)

            here.first() == "run" -> here + SHORT + listOf("--out", "${world.runs}") +
                listOf("--jvm=-XX:TieredStopAtLevel=1").filter { words[1].endsWith(".jar") }

            else -> here
        }
    }

    private fun runningServer(): HttpServer = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
        executor = Executors.newVirtualThreadPerTaskExecutor()
        createContext("/") { exchange ->
            exchange.sendResponseHeaders(200, 2)
            exchange.responseBody.use { it.write("ok".toByteArray()) }
        }
        start()
    }

    private companion object {
        val JAVA_FOLDER: Path = Path.of(System.getProperty("java.home"), "bin")
        val SHORT = listOf("--preset", "quick", "--rounds", "1", "--protocol", "cold", "--diagnose", "off") +
            listOf("--set", "profiles.saturate={ closed: 4, window: 1 s }")
    }
}
