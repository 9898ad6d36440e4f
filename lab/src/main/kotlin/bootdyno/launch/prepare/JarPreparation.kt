package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.sha256Of
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.system.readOrNull
import bootdyno.system.startMark
import java.nio.file.Files
import java.nio.file.Path
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import kotlin.time.Duration
import kotlin.time.TimeSource

/** A jar, extracted where its libraries are nested. */
internal open class JarPreparation(
    cell: Cell,
    private val jar: Path,
    private val contents: JarContents,
    private val java: JavaRuntime,
    protected val workplace: Workplace,
) : Preparation.Work {
    private val variant = cell.variant
    protected val form = variant.runtime
    protected val own: Path = workplace.folder.resolve(keyOf(cell, workplace.extractions.sha256(jar), java))
    protected val steps = mutableListOf<PreparationStep>()
    private var extraction: Extraction? = null
    private var startedAt: String? = null

    override val key: String = "${own.fileName}"

    /** The extracted jar, else the jar itself. */
    protected val program: Path get() = extraction?.jar ?: jar

    override fun make(log: Path) {
        startedAt = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"
        Files.createDirectories(own)
        if (contents.nested) extraction = workplace.laidOut(jar, contents, variant, java, own, log).also { steps += it.steps }
    }

    override fun prepared(): Prepared {
        val sizes = buildMap {
            put(Artifact.JAR, Bytes(sizeOf(jar)))
            extraction?.let { put(Artifact.EXTRACTED, Bytes(sizeOf(it.folder))) }
        }
        return Prepared(jarProgram(emptyList()), PreparedFound(form, steps.toList(), sizes, startedAt))
    }

    protected fun jarProgram(flags: List<String>) = Program.Jar(
        program,
        flags + listOfNotNull(SPRING_AOT_FLAG.takeIf { form.springAot }),
    )
}

/** What decides which archive or cache a JVM accepts, and what there is to be found in it. */
private fun keyOf(cell: Cell, sha256: String, java: JavaRuntime): String {
    val jdk = java.executable.toRealPath().parent?.parent?.resolve("release")?.let(::readOrNull).orEmpty()
    val variant = cell.variant
    val parts = listOf(sha256, "${java.executable}", jdk, variant.runtime.word) + variant.jvm +
        variant.settings.map { "$it" } + variant.environment.map { "$it" } + "${cell.limits.cpus} ${cell.limits.memory}"
    return "${variant.runtime.word}-${sha256Of(parts.joinToString("\n")).take(SHORT_HASH)}"
}

/** SIGTERM to [pid]; true when it has ended within [deadline]. Can be interrupted. */
internal fun endByItself(pid: Long, deadline: Duration): Boolean {
    val begun = TimeSource.Monotonic.markNow()
    ProcessHandle.of(pid).ifPresent { it.destroy() }
    while (startMark(pid) != null) {
        if (begun.elapsedNow() >= deadline) return false
        Thread.sleep(LOOK_EVERY_MS)
    }
    return true
}

private const val LOOK_EVERY_MS = 20L
