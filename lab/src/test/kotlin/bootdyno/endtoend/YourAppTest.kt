package bootdyno.endtoend

import bootdyno.cli.shellWords
import bootdyno.faults.Shell
import com.sun.net.httpserver.HttpServer
import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Execution
import org.junit.jupiter.api.parallel.ExecutionMode
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.FieldSource
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.Executors
import java.util.zip.GZIPInputStream
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/** Every command of docs/your-app.md in the order of the page, in the folder of an application that Boot Dyno knows nothing of. */
@Tag("endtoend")
@Execution(ExecutionMode.CONCURRENT)
internal class YourAppTest : InWorld("yourapp") {
    @ParameterizedTest(name = "part {index}")
    @FieldSource("ONLY_PLANNED")
    fun `every other command of the guide for one's own application is understood, and planned as the page says`(
        commands: List<String>,
    ) = plan(commands)

    @Tag("short")
    @ParameterizedTest(name = "part {index}")
    @FieldSource("ALSO_MEASURED")
    fun `every command of the guide that is measured in a full build is understood, and planned as the page says`(
        commands: List<String>,
    ) = plan(commands)

    @Tag("full")
    @ParameterizedTest(name = "dyno {0}")
    @FieldSource("MEASURED")
    fun `a command of the guide measures what the page says`(command: String) = measure(command, shell())

    @Test
    @Tag("short")
    fun `the paths of an application are found on its first page`() {
        writePathsFound(shell())
    }

    @Test
    @Tag("full")
    fun `the paths of an application are found on its first page, and measured`() {
        val shell = shell()
        writePathsFound(shell)
        measure(FROM_FILE, shell)
    }

    private fun plan(commands: List<String>) {
        val shell = shell()
        commands.forEach { command ->
            val words = here(command, port = 8080)
            val planned = (if (words.first() == "run") listOf("plan") + words.drop(1) else words) + startsFast(words)
            withClue(command) {
                if (command == FROM_FILE) writeExperiment(shell)
                world.dyno(*planned.toTypedArray(), shell = shell).exits(0)
            }
        }
    }

    private fun measure(command: String, shell: Shell) {
        val running = runningServer()
        try {
            val words = here(command, running.address.port)
            val short = SHORT + listOf("--out", "${world.runs}") + startsFast(words)
            world.dyno(*(words + short).toTypedArray(), shell = shell).exits(0)
        } finally {
            running.stop(0)
        }
    }

    private fun writePathsFound(shell: Shell) {
        world.dyno("init", "target/orders.jar", *FAST, shell = shell).exits(0)
            .says("Requests: GET /, GET /fast, GET /wait\\?ms=20\\.")
        world.dyno("plan", "orders.yaml", shell = shell).exits(0).says("virtual-threads-on/mix")
    }

    private fun writeExperiment(shell: Shell) {
        world.dyno("init", "target/orders.jar", *FAST, "--write-experiment", "orders.yaml", shell = shell).exits(0)
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

    private fun shell() = Shell(environment = ON_PATH, folder = project())

    private fun startsFast(words: List<String>) = if (words[1].endsWith(".jar")) FAST.toList() else emptyList()

    /** As a build leaves it: the jar, a compose file, the body of a request, an access log and a thread dump in the project's folder. */
    private fun project(): Path {
        val project = world.root.resolve("project").createDirectories()
        Path.of(
            "../subjects/planted/target/planted.jar",
        ).copyTo(project.resolve("target").createDirectories().resolve("orders.jar"))
        project.resolve("compose.yaml").writeText("services: { db: { image: \"postgres:18\", ports: [ \"5432\" ] } }\n")
        project.resolve("order.json").writeText("{ \"item\": 1 }\n")
        val dump = GZIPInputStream(checkNotNull(javaClass.getResourceAsStream("/bootdyno/dumps/planted/17-pool-100.txt.gz")))
        project.resolve("d1.txt").writeBytes(dump.use { it.readAllBytes() })
        val logged = (1..5).map { "/wait?ms=$it" } + "/fast"
        project.resolve("access.log").writeText(
            logged.joinToString("\n") { "127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] \"GET $it HTTP/1.1\" 200 2" },
        )
        return project
    }

    /** The words of [command], with the JDK and the dump that are here, and the port of an application that runs. */
    private fun here(command: String, port: Int): List<String> {
        val words = shellWords(command).shouldNotBeNull()
        return words.mapIndexed { index, word ->
            if (words.getOrNull(index - 1) == "--java") {
                "${Runtime.version().feature()}"
            } else {
                word.replace(":8080", ":$port").replace("d*.txt", "d1.txt")
            }
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

    companion object {
        /** Of an application that is started: other tests take the CPUs meanwhile. */
        private val FAST = arrayOf("--jvm=-XX:TieredStopAtLevel=1", "--setting=spring.main.lazy-initialization=true")
        private val ON_PATH = mapOf("PATH" to "${Path.of(System.getProperty("java.home"), "bin")}:${System.getenv("PATH")}")

        /** On a load that no figure counts of. */
        private val SHORT = listOf("--preset", "quick", "--rounds", "1", "--protocol", "cold", "--diagnose", "off") +
            listOf("--set", "profiles.saturate={ closed: 4, window: 1 s }", "--set", "matters=100 %")

        private val GUIDE: List<String> = Path.of("../docs/your-app.md").readText()
            .let { page -> Regex("(?m)^\\./dyno (.+)$").findAll(page).map { it.groupValues[1] }.toList() }

        private const val FROM_FILE = "run orders.yaml"

        /** Images, compose files, requests that the application does not serve, and other kinds of `--vary` are planned only. */
        private val HERE = GUIDE.filter { it.startsWith("run ") && NOT_HERE.none(it::contains) }

        /** Each starts the application some times. */
        private const val OF_A_PART = 5

        @JvmStatic
        private val ONLY_PLANNED = (GUIDE - HERE.toSet()).chunked(OF_A_PART)

        @JvmStatic
        private val ALSO_MEASURED = HERE.chunked(OF_A_PART)

        /** A test of its own writes the file. */
        @JvmStatic
        private val MEASURED = HERE - FROM_FILE

        private val NOT_HERE get() = listOf("--image", "compose.yaml", "--request", " jvm:", " env:")
    }
}
