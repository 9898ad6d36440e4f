package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.Expectation
import bootdyno.model.Origin
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.system.CHILD_MARK
import bootdyno.system.Inherited
import bootdyno.system.KEPT_HEAD
import bootdyno.system.KEPT_TAIL
import bootdyno.system.availableCpus
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import bootdyno.system.markedBy
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import kotlin.io.path.fileSize
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private val OF_FRAMEWORKS =
    setOf("QUARKUS_HTTP_PORT", "QUARKUS_HTTP_HOST", "MICRONAUT_SERVER_PORT", "MICRONAUT_SERVER_HOST")

class SubjectLauncherTest(@param:TempDir private val folder: Path) {
    private val log get() = folder.resolve("trial/subject.log")
    private val ledgers get() = folder.resolve("ledgers")
    private val all = Placement(availableCpus(), availableCpus(), shared = true)

    private fun launcher() = SubjectLauncher(Unconfined(), all, Ledger(ledgers))

    @Test
    fun `a subject is started, becomes ready, answers as expected, and nothing is left of it`() {
        val settings = Variant("v", "stand-in", settings = mapOf("a" to "b"))
        val subject = launcher().start(standIn("serves", variant = settings), log)
        val pid = subject.pid.shouldNotBeNull()
        subject.use {
            val startup = it.awaitReady("/hello", 60.seconds)
            startup.seconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            startup.cpuSeconds.shouldNotBeNull() shouldBeGreaterThan 0.0
            it.verify(hello).min() shouldBeGreaterThan 0.0
            val port = it.base.port
            it.verify(
                Workload(
                    "settings",
                    listOf(Step("settings", path = "/settings", expect = Expectation(200, "$port {\"a\":\"b\"} null"))),
                ),
            )
            it.deathReport() shouldBe null
            it.commandLine shouldContain "$port"
            it.sha256.shouldNotBeNull().length shouldBe 64
            it.lastLogLines() shouldContain "stand-in serves on $port"
            ledgers.listDirectoryEntries().single().toFile().readText() shouldContain "child $pid"
        }
        startMark(pid) shouldBe null
        subject.deathReport().shouldNotBeNull()
        Ledger(ledgers).close()
        subject.close()
    }

    @Test
    fun `a subject inherits no variable of the shell that could change it, and runs in an empty folder of its own`() {
        val given = Variant("v", "stand-in", environment = mapOf("GIVEN" to "1"))
        val subject = launcher().start(standIn("serves", variant = given), log)
        val working = subject.use {
            it.awaitReady("/hello", 60.seconds)
            val ours = setOf("PORT", "SERVER_PORT", "SERVER_ADDRESS", "GIVEN", CHILD_MARK, "PWD", "SHLVL", "_")
            val others = it.get("/environment").split(' ') - ours - OF_FRAMEWORKS - Inherited.BASIC.of().keys
            others.shouldBeEmpty()
            it.get("/folder").split(' ', limit = 2).also { (_, content) -> content shouldBe "[]" }.first()
        }
        Files.exists(Path.of(working)) shouldBe false
    }

    @Test
    fun `a subject runs in the folder that its variant names`() {
        folder.resolve("mine.txt").writeText("")
        val there = Variant("v", "stand-in", workingDirectory = "$folder")
        launcher().start(standIn("serves", variant = there), log).use {
            it.awaitReady("/hello", 60.seconds)
            it.get("/folder") shouldContain "mine.txt"
        }
        Files.exists(folder) shouldBe true
    }

    @Test
    fun `a secret setting reaches the subject, and stands on no command line`() {
        val secret = "hunter2 \"quoted\" \\ back"
        val variant =
            Variant("v", "stand-in", settings = mapOf("db.password" to secret, "a.b" to "c"), jvm = listOf("-Dmy.token=t0ken"))
        launcher().start(jarCell(standInJar(folder), variant), log).use {
            it.awaitReady("/hello", 60.seconds)
            it.get("/property?db.password") shouldBe secret
            it.get("/property?my.token") shouldBe "t0ken"
            it.get("/property?a.b") shouldBe "c"
            val words = Path.of("/proc/${it.pid}/cmdline").readText()
            words shouldContain "-Da.b=c"
            listOf("hunter2", "t0ken").forEach { word -> words shouldNotContain word }
            it.commandLine shouldContain "-Ddb.password=(hidden)"
        }
    }

    @Test
    fun `what a subject started and let go of ends with it`() {
        val subject = launcher().start(standIn("serves"), log)
        val mark = subject.use {
            it.awaitReady("/hello", 60.seconds)
            it.get("/detach")
            val environment = Path.of("/proc/${it.pid}/environ").readText().split('\u0000')
            environment.first { name -> name.startsWith(CHILD_MARK) }.substringAfter('=').also { own ->
                waitUntil(10.seconds) { markedBy(own).size == 2 } shouldBe true
            }
        }
        markedBy(mark).shouldBeEmpty()
    }

    @Test
    fun `a subject that prints without end leaves a small log`() {
        launcher().start(standIn("serves"), log).use {
            it.awaitReady("/hello", 60.seconds)
            it.get("/shout") shouldBe "loud"
        }
        log.fileSize() shouldBeLessThan KEPT_HEAD + KEPT_TAIL + 100
        log.readText() shouldContain "Boot Dyno left out"
    }

    private fun RunningSubject.get(path: String): String = VerificationClient(base).use {
        it.ask(Step("get", path = path), 60.seconds).body
    }

    @Test
    fun `a subject that dies at once is reported with its exit code and its last words`() {
        launcher().start(standIn("dies"), log).use {
            val failure = shouldThrow<LaunchFailed> { it.awaitReady("/", 60.seconds) }
            failure.stage shouldBe Stage.READY
            failure.reason shouldContain "exit code 3"
            failure.lastLines shouldContain "stand-in dies on ${it.base.port}"
        }
    }

    @Test
    fun `a subject that never answers is given up at the deadline`() {
        launcher().start(standIn("deaf"), log).use {
            val failure = shouldThrow<LaunchFailed> { it.awaitReady("/", 300.milliseconds) }
            failure.stage shouldBe Stage.READY
            failure.reason shouldContain "within 300ms"
        }
    }

    @Test
    fun `a wrong answer is not measured, and the sentence shows both`() {
        launcher().start(standIn("serves"), log).use {
            it.awaitReady("/", 60.seconds)
            val failure =
                shouldThrow<LaunchFailed> {
                    it.verify(hello.copy(steps = hello.steps.map { step -> step.copy(expect = Expectation(200, "bye")) }))
                }
            failure.stage shouldBe Stage.VERIFY
            failure.reason shouldBe "GET /hello?who=dyno answered wrongly: the body 'bye' was expected, 'hello who=dyno' came."
            val notReady = shouldThrow<LaunchFailed> { it.awaitReady("/missing", 2.seconds) }
            notReady.reason shouldContain "status 404"
        }
    }

    @Test
    fun `a server that already runs is asked and left running`() {
        launcher().start(standIn("serves"), log).use { running ->
            running.awaitReady("/", 60.seconds)
            launcher().start(cellOf(Origin.Url("${running.base}")), log).use {
                it.pid shouldBe null
                it.awaitReady("/hello", 10.seconds) shouldBe Startup(null, null)
                it.verify(hello).min() shouldBeGreaterThan 0.0
                it.limits.mechanism shouldBe "none"
            }
            running.deathReport() shouldBe null
        }
    }

    @Test
    fun `what is not there cannot be launched`() {
        fun refused(origin: Origin, variant: Variant = Variant("v", "s")) =
            shouldThrow<LaunchFailed> { launcher().start(cellOf(origin, variant = variant), log) }.also {
                it.stage shouldBe Stage.LAUNCH
            }
        refused(Origin.Command(listOf("no-such-command-here"))).reason shouldContain "no command 'no-such-command-here'"
        refused(Origin.Command(emptyList())).reason shouldContain "empty"
        refused(Origin.Jar("/nowhere/a.jar")).reason shouldContain "/nowhere/a.jar"
        val anyJar = Origin.Jar(System.getProperty("java.home") + "/release")
        refused(anyJar, Variant("v", "s", java = "/nowhere/java")).reason shouldContain "no java at '/nowhere/java'"
    }

    @Test
    fun `two who close at once both wait until it is over`() {
        val subject = launcher().start(standIn("deaf"), log)
        val pid = subject.pid.shouldNotBeNull()
        val seen = AtomicReference<String>("not seen")
        val other = thread {
            subject.close()
            seen.set(startMark(pid))
        }
        subject.close()
        startMark(pid) shouldBe null
        other.join()
        seen.get() shouldBe null
    }

    @Test
    fun `closing on an interrupted thread still ends the subject`() {
        val subject = launcher().start(standIn("deaf"), log)
        Thread.currentThread().interrupt()
        subject.close()
        Thread.interrupted() shouldBe true
        startMark(subject.pid.shouldNotBeNull()) shouldBe null
    }

    @Test
    fun `a closed subject leaves an empty ledger, which goes when closed`() {
        Ledger(ledgers).use { ledger -> SubjectLauncher(Unconfined(), all, ledger).start(standIn("deaf"), log).close() }
        ledgers.listDirectoryEntries().shouldBeEmpty()
    }
}
