package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.launchable
import bootdyno.launch.sha256Of
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.model.Stage
import bootdyno.system.readOrNull
import bootdyno.system.startMark
import java.nio.file.Files
import java.nio.file.Path
import java.time.OffsetDateTime
import java.time.temporal.ChronoUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A jar laid out in files where its libraries are nested, with what a short real run leaves for its next starts. */
internal class JarPreparation(
    cell: Cell,
    private val jar: Path,
    private val contents: JarContents,
    private val java: JavaRuntime,
    private val workplace: Workplace,
) : Preparation.Work {
    private val variant = cell.variant
    private val form = variant.runtime
    private val own = workplace.folder.resolve(keyOf(cell, workplace.extractions.sha256(jar), java))
    private val left = own.resolve(if (form.trained == Artifact.ARCHIVE) "app.jsa" else "app.aot")
    private val steps = mutableListOf<PreparationStep>()
    private var extraction: Extraction? = null
    private var startedAt: String? = null
    private var training: TimeMark? = null

    override val key: String = "${own.fileName}"
    override val trains: Boolean = form.trained != null

    /** What is started: the jar among its files, else the jar itself. */
    private val program: Path get() = extraction?.jar ?: jar

    override fun make(log: Path) {
        startedAt = "${OffsetDateTime.now().truncatedTo(ChronoUnit.MILLIS)}"
        Files.createDirectories(own)
        if (contents.nested) extraction = workplace.laidOut(jar, contents, variant, java, own, log).also { steps += it.steps }
    }

    override fun startTraining(cell: Cell, log: Path): RunningSubject {
        training = TimeSource.Monotonic.markNow()
        val recording = when (form.trained) {
            Artifact.ARCHIVE -> "-XX:ArchiveClassesAtExit=$left"
            else -> "-XX:AOTCacheOutput=$left"
        }
        // Nothing holds it to its CPUs: pinned to all there are, it is only told how many to count on.
        val what = cell.launchable().let { it.copy(limits = it.limits.copy(cpuBy = CpuBy.PINNING)) }
        return workplace.trainer.start(what, log, Prepared(Program.Jar(program, listOf(recording) + springAot()), found = null))
    }

    override fun finishTraining(subject: RunningSubject) {
        val pid = checkNotNull(subject.pid) { "a training run is a process of ours" }
        val what = form.trained?.word.orEmpty()
        if (!endByItself(pid, WRITING)) {
            throw LaunchFailed(
                Stage.PREPARE,
                "The training run did not end within $WRITING after SIGTERM: it has to, to leave its $what.",
                subject.lastLogLines(),
            )
        }
        if (!Files.isReadable(left) || Files.size(left) == 0L) {
            throw LaunchFailed(Stage.PREPARE, "The training run ended and left no $what.", subject.lastLogLines())
        }
        steps += PreparationStep("train", training?.elapsedNow()?.inSeconds() ?: 0.0, subject.commandLine)
    }

    override fun prepared(): Prepared {
        val sizes = buildMap {
            put(Artifact.JAR, Bytes(sizeOf(jar)))
            extraction?.let { put(Artifact.EXTRACTED, Bytes(sizeOf(it.folder))) }
            form.trained?.let { put(it, Bytes(Files.size(left))) }
        }
        return Prepared(Program.Jar(program, using() + springAot()), PreparedFound(form, steps.toList(), sizes, startedAt))
    }

    /** What cannot be used must not be measured by its name: with these the JVM refuses to start instead of starting plainly. */
    private fun using(): List<String> = when (form.trained) {
        Artifact.ARCHIVE -> listOf("-XX:SharedArchiveFile=$left", "-Xshare:on")
        Artifact.CACHE -> listOf("-XX:AOTCache=$left", "-XX:AOTMode=on")
        else -> emptyList()
    }

    private fun springAot() = listOfNotNull(SPRING_AOT_FLAG.takeIf { form.springAot })

    private companion object {
        /** Writing an archive or a cache takes seconds; an application may take half a minute to shut down. */
        val WRITING = 5.minutes
    }
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
