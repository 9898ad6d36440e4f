package bootdyno.faults

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The real program in a JVM and a session of its own: whatever it starts, its session tells. */
internal class DynoProcess private constructor(private val process: Process, private val stdout: Path, private val stderr: Path) {
    val pid: Long = process.pid()
    val isAlive: Boolean get() = process.isAlive
    val exitCode: Int get() = process.exitValue()

    /** What it has started, as far as it was seen: those that live on in a session of their own are known by nothing else. */
    val children: Set<ProcessHandle> get() = seen

    private val seen = mutableSetOf<ProcessHandle>()

    private fun look() = process.descendants().forEach(seen::add)

    fun answer(): String = if (stdout.exists()) stdout.readText() else ""

    fun said(): String = if (stderr.exists()) stderr.readText() else ""

    fun output(): String = "stdout:\n${answer().takeLast(LONGEST)}\nstderr:\n${said().takeLast(LONGEST)}"

    /** [name] as `kill` knows it; to the whole process group, as Ctrl-C does, when [everybody]. */
    fun signal(name: String, everybody: Boolean = false) {
        look()
        ProcessBuilder("kill", "-$name", "--", if (everybody) "-$pid" else "$pid").inheritIO().start().waitFor()
    }

    fun awaitEnd(within: Duration = LONGEST_RUN) {
        val deadline = System.nanoTime() + within.inWholeNanoseconds
        while (System.nanoTime() < deadline) {
            look()
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) return
        }
        kill()
        throw AssertionError("it still runs after $within\n${output()}")
    }

    /** Ends with [code], and says nothing that only a programmer understands. */
    fun exits(vararg code: Int): DynoProcess {
        awaitEnd()
        if (exitCode !in code) throw AssertionError("exit code $exitCode instead of ${code.joinToString(" or ")}\n${output()}")
        STACK_TRACE.find(said() + answer())?.let { throw AssertionError("a stack trace\n${output()}") }
        return this
    }

    fun says(text: String): DynoProcess {
        if (!Regex(text, RegexOption.IGNORE_CASE).containsMatchIn(said() + answer())) {
            throw AssertionError("it does not say `$text`\n${output()}")
        }
        return this
    }

    fun kill() {
        if (!process.isAlive) return
        process.destroyForcibly()
        process.waitFor(5, TimeUnit.SECONDS)
    }

    companion object {
        fun start(world: World, words: List<String>, shell: Shell, number: Int): DynoProcess {
            val own = listOf("-Djava.io.tmpdir=${world.temporary}", "-Duser.home=${world.home}")
            val jvm = listOf(JAVA) + FLAGS + CACHED + shell.jvm + own + "-Ddyno.home=${world.home}"
            val program = shell.launcher?.let { listOf("$it") } ?: (shell.wrapper + jvm + shell.program)
            // Other tests of the build measure time meanwhile; none of a fault depends on it.
            val command = listOf("setsid", "nice", "env", "--default-signal") + program + words
            val stdout = world.root.resolve("stdout-$number")
            val stderr = world.root.resolve("stderr-$number")
            val builder = ProcessBuilder(command).directory((shell.folder ?: world.root).toFile())
                .redirectOutput(stdout.toFile()).redirectError(stderr.toFile())
            builder.environment().putAll(world.environment + shell.environment)
            if (shell.launcher != null) builder.environment()["JDK_JAVA_OPTIONS"] = (own + NOT_WARMED_UP).joinToString(" ")
            return DynoProcess(builder.start(), stdout, stderr)
        }

        val JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val JAR: Path = Path.of("target", "dyno.jar").toAbsolutePath()

        private const val NOT_WARMED_UP = "-Ddyno.engine.cold=true"

        /** Quick to start; the load generator is not warmed up, since no figure counts here. */
        val FLAGS = listOf(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            NOT_WARMED_UP,
        )

        /** With the cache of a program that is started often. */
        val CACHED: List<String> get() = StartCaches.dyno.let { listOf("-XX:AOTCache=$it", "-Ddyno.aot=$it") }

        private val STACK_TRACE = Regex("""(?m)^\s+at [\w.$/@]+\(.*\)$|^Exception in thread""")

        /** Nice as it is, other builds may leave it a tenth of a CPU. */
        private val LONGEST_RUN = 600.seconds
        private const val LOOK_MILLIS = 500L
        private const val LONGEST = 3_000
    }
}

/** Waits until [condition] holds. */
internal fun await(what: String, within: Duration = 120.seconds, condition: () -> Boolean) {
    val deadline = System.nanoTime() + within.inWholeNanoseconds
    while (!condition()) {
        if (System.nanoTime() > deadline) throw AssertionError("not within $within: $what")
        Thread.sleep(10)
    }
}
