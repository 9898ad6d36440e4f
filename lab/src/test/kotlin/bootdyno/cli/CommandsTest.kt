package bootdyno.cli

import bootdyno.CHECKOUT
import bootdyno.launch.docker.whyNoDocker
import bootdyno.measure.ExitCode
import bootdyno.measure.engines
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldBeEmpty
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText

class CommandsTest {
    private val commands: List<String> = dyno(Home(CHECKOUT)).registeredSubcommands().map { it.commandName }

    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(CHECKOUT)).test(words.toList())

    @Test
    fun `a mistyped command gets the command it is near to, whatever follows it`() {
        fun said(vararg words: String) = noSuchCommand(dyno(Home(CHECKOUT)), arrayOf(*words))?.message
        said("runn", "quick", "--rounds", "1") shouldBe "there is no command `runn`; did you mean `run`?"
        said("quick") shouldBe "there is no command `quick`; commands: ${commands.joinToString()}"
        said("shop.jar", "--rounds", "1") shouldBe "there is no command `shop.jar`; write: ./dyno run shop.jar"
        said("run", "quick") shouldBe null
        said("--version") shouldBe null
        said() shouldBe null
    }

    @Test
    fun `a property or a JVM flag that is typed as an option gets the option that takes it`() {
        meant("--server.port") shouldBe "Properties of the application: --setting server.port=VALUE"
        meant("-X") shouldBe "Flags of its JVM: --jvm=-X…"
        meant("--rouns") shouldBe null
    }

    @Test
    fun `dyno alone says what to type next`() {
        val said = dyno()
        said.statusCode shouldBe ExitCode.FINE
        said.stdout shouldContain "dyno run quick"
    }

    @Test
    fun `the version option prints the version`() {
        val said = dyno("--version")
        said.statusCode shouldBe ExitCode.FINE
        said.stdout shouldContain "Boot Dyno of a development build"
    }

    @Test
    fun `plan says that run would refuse a load engine that is not here`() {
        val said = dyno("plan", "quick", "--engine", "k6")
        said.statusCode shouldBe ExitCode.FINE
        val isHere = engines().single { it.name == "k6" }.whyNot() == null
        ("because k6 is missing" in said.stdout.replace("\n", " ")) shouldBe !isHere
    }

    @Test
    fun `help shows at most eight options and three examples, and the rest on demand`() {
        listOf("run", "plan", "init", "capacity", "compare", "resume", "confirm", "report").forEach { name ->
            val help = dyno(name, "--help").stdout
            withClue(name) {
                options(help).filterNot { it == "--help" }.size shouldBeInRange 1..8
                options(help) shouldContainAll COMMON.getValue(name).options
                help.substringAfter("Examples:").lines().count { it.startsWith("  ") } shouldBe 3
                help.lines().size shouldBeLessThanOrEqual 44
            }
        }
        val root = dyno(Home(CHECKOUT))
        val whole = root.test(root.withWholeHelp(arrayOf("run", "--help=all"))).stdout
        options(whole) shouldContainAll listOf("--seed", "--diagnose", "--preset")
        whole shouldNotContain "Examples:"
    }

    private fun options(help: String): List<String> =
        Regex("(?m)^\\s+(?:-\\w, )?(--[a-z-]+)").findAll(help).map { it.groupValues[1] }.toList()

    @Test
    fun `the overview and doctor say what a reader asks`() {
        dyno().stdout shouldContain "dyno bench"
        dyno("--help").stdout shouldContain "bench"
        dyno("doctor").stdout.trim().lines().last() shouldContain "Verdict: "
    }

    @Test
    fun `list names what is built in`() {
        val said = dyno("list")
        said.statusCode shouldBe ExitCode.FINE
        listOf("blocking-io", "quick", "servlet", "reactive", "/suspendIO").forEach { said.stdout shouldContain it }
        said.stdout shouldNotContain "has problems"
    }

    @Test
    fun `plan says the ceilings before anything runs`() {
        val said = dyno("plan", "quick")
        said.statusCode shouldBe ExitCode.FINE
        // 200 threads, 64, 10 and 400 connections, each held 500 ms.
        listOf("400/s", "128/s", "20/s", "800/s").forEach { said.stdout shouldContain it }
    }

    @Test
    fun `every problem of a broken file is reported at once with its place and a hint`(@TempDir folder: Path) {
        val file = folder.resolve("broken.yaml").apply {
            writeText(
                """
                title: Broken
                question: Does it say so?
                limits: { cpus: many, memory: 1 GiB }
                variants:
                  tomcat: { subjct: servlet }
                workloads:
                  wait: { get: /noop }
                profiles:
                  load: { closed: 0, window: 10 s }
                preset: fast
                """.trimIndent(),
            )
        }
        val said = dyno("plan", file.toString())
        said.statusCode shouldBe ExitCode.INPUT
        said.stdout.shouldBeEmpty()
        val places = Regex("""broken\.yaml:(\d+):(\d+)""").findAll(said.stderr).map { it.groupValues[1].toInt() }.toSet()
        places.shouldContainAll(3, 5, 9, 10)
        said.stderr shouldContain "subject"
    }

    @Test
    fun `an unknown experiment is the user's input and gets a suggestion`() {
        val said = dyno("run", "blocking-oi")
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "Did you mean `blocking-io`?"
    }

    @Test
    fun `more users at once than this machine has files or ports for are refused before anything starts`(@TempDir folder: Path) {
        val crowd = "profiles.burst={ burst: 1000000 x 1 }"
        val said = dyno("run", "burst", "--set", crowd, "--out", folder.toString())
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "1,000,000 connections at once"
        said.stderr shouldContain "use fewer connections"
        Files.list(folder).use { it.count() } shouldBe 0
        dyno("plan", "burst", "--set", crowd).stdout shouldContain "Note: 1,000,000 connections"
    }

    @Test
    fun `containers without an engine are refused before anything starts, and what there is says doctor`(@TempDir folder: Path) {
        val whyNot = whyNoDocker()
        dyno("doctor").stdout shouldContain (whyNot ?: "for --in docker")
        assumeTrue(whyNot != null) { "an engine runs here" }
        val said = dyno("run", "quick", "--in", "docker", "--out", folder.toString())
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain whyNot.orEmpty()
        Files.list(folder).use { it.count() } shouldBe 0
        val plan = dyno("plan", "quick", "--in", "docker").stdout
        plan shouldContain "Their images are built on eclipse-temurin:25-jre"
        plan shouldContain "Run it: ./dyno run quick --in docker"
        dyno("plan", "quick", "--base-image", "jre:25").stderr shouldContain "add --in docker"
    }

    @Test
    fun `a jar that is not there is the user's input`() {
        val said = dyno("run", "no-such-app.jar", "--path", "/x")
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "no-such-app.jar"
    }

    @Test
    fun `schema prints a JSON Schema`() {
        dyno("schema").stdout shouldContain "\"\$schema\""
    }

    @Test
    fun `every command has a line of help`() {
        val help = dyno("--help").stdout
        commands.filterNot { Regex("""(?m)^  $it  +\S""").containsMatchIn(help) }.shouldBeEmpty()
    }
}
