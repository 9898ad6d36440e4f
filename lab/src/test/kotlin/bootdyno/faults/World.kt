package bootdyno.faults

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import java.io.UncheckedIOException
import java.nio.file.DirectoryNotEmptyException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Folders of one fault's own: nothing it does is seen by another fault, or by the user who runs the campaign. */
internal class World(val root: Path) {
    val home: Path = root.resolve("home").createDirectories()
    val state: Path = root.resolve("state").createDirectories()
    val temporary: Path = root.resolve("tmp").createDirectories()
    val runs: Path = root.resolve("runs").createDirectories()
    private val cache = root.resolve("cache").createDirectories()
    private val runtime = root.resolve("runtime").createDirectories()
    private val diaries = root.resolve("diaries").createDirectories()
    private val started = mutableListOf<DynoProcess>()

    /** Every Boot Dyno that this world has started. */
    val pids: Set<Long> get() = started.map { it.pid }.toSet()

    /** What those have started and still lives, of all that was seen. */
    val childrenAlive: Set<Long> get() = started.flatMap { it.children }.filter { it.isAlive }.map { it.pid() }.toSet()

    val environment: Map<String, String> = mapOf(
        "HOME" to "$home",
        "XDG_STATE_HOME" to "$state",
        "XDG_CACHE_HOME" to "$cache",
        "XDG_RUNTIME_DIR" to "$runtime",
        "TMPDIR" to "$temporary",
    )

    fun diary(role: String): Path = diaries.resolve(role)

    /** Starts `dyno` with [words]. */
    fun start(vararg words: String, shell: Shell = Shell()): DynoProcess =
        DynoProcess.start(this, words.toList(), shell, number = started.size).also { started += it }

    /** Runs `dyno` with [words] to its end. */
    fun dyno(vararg words: String, shell: Shell = Shell()): DynoProcess = start(*words, shell = shell).also { it.awaitEnd() }

    fun run(experiment: Path, vararg more: String, shell: Shell = Shell()): DynoProcess =
        start("run", "$experiment", "--out", "$runs", *more, shell = shell)

    /** Measures what is missing and asserts that nothing is, then. */
    fun resume(exitCode: Int = 0) {
        val resumed = dyno("resume", "${runFolder()}")
        resumed.exits(exitCode)
        assertComplete { "resume: ${resumed.output()}" }
    }

    /** Asserts that every trial has ended; [why]: what is said if one has not. */
    fun assertComplete(why: () -> String = { "$root" }) =
        check(finished().size == planned()) { "${finished().size} of ${planned()} trials have ended, ${why()}" }

    /** The only run folder. */
    fun runFolder(): Path = runs.listDirectoryEntries().single()

    /** Whether a run has begun far enough to be gone on with. */
    fun hasPlan(): Boolean = runs.listDirectoryEntries().any { Files.exists(it.resolve("environment.json")) }

    /** The folders of trials that have ended, without their repetitions: a busy machine disturbs some. */
    fun finished(): List<Path> = runs.listDirectoryEntries().map { it.resolve("trials") }.filter { it.isDirectory() }
        .flatMap { it.listDirectoryEntries() }.filter { TRIAL.matches(it.name) && !it.name.endsWith("--attempt2") }.sorted()

    /** How many trials the one round has: as many as there are cells. */
    fun planned(): Int =
        Json.parseToJsonElement(runFolder().resolve("plan.json").readText()).jsonObject.getValue("cells").jsonArray.size

    /** Where subjects were told to listen, as trials and subjects wrote it down. */
    fun portsUsed(): Set<Int> = runs.listDirectoryEntries().filter { it.isDirectory() }.flatMap { run ->
        Files.walk(run).use { all -> all.filter { it.name == "trial.json" }.toList() }
    }.flatMap { PORT.findAll(it.readText()).map { found -> found.groupValues[1].toInt() } }.toSet()

    fun file(name: String, text: String): Path = root.resolve(name).apply { writeText(text) }

    fun endAll() = started.forEach { it.kill() }

    private companion object {
        /** The word before the diary in a subject's command. */
        val PORT = Regex("""bootdyno\.faults\.FaultySubjectKt",\s+"(\d+)"""")
        val TRIAL = Regex("""\d{4}-.*""")
    }
}

/** The environment that dyno is started from, beside the world's own. */
internal class Shell(
    val environment: Map<String, String> = emptyMap(),
    val jvm: List<String> = emptyList(),
    /** Words before the JVM's, that start it. */
    val wrapper: List<String> = emptyList(),
    val folder: Path? = null,
    /** The script that starts dyno, instead of its jar in a JVM of our own. */
    val launcher: Path? = null,
    /** What the JVM runs. */
    val program: List<String> = listOf("-jar", "${DynoProcess.JAR}"),
)

/** Removes what a fault has left, whatever it did to permissions. A program that still runs may add a file meanwhile. */
internal fun removeWorld(root: Path) {
    ProcessBuilder("chmod", "-R", "u+rwX", "$root").redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor()
    await("$root is removed") { !Files.exists(root) || isRemoved(root) }
}

private fun isRemoved(root: Path): Boolean = try {
    Files.walk(root).use { all -> all.sorted(Comparator.reverseOrder()).forEach { Files.deleteIfExists(it) } }
    true
} catch (_: DirectoryNotEmptyException) {
    false
} catch (_: UncheckedIOException) {
    // A file was removed while its folder was read.
    false
}
