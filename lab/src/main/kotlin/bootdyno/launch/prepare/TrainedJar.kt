package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.launchable
import bootdyno.model.Artifact
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.system.startMark
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.DurationUnit
import kotlin.time.TimeMark
import kotlin.time.TimeSource

/** A jar with the [artifact] of a training run: a CDS archive or an AOT cache. */
internal class TrainedJar(
    private val artifact: Artifact,
    cell: Cell,
    jar: Path,
    contents: JarContents,
    java: JavaRuntime,
    context: PreparationContext,
) : JarPreparation(cell, jar, contents, java, context),
    Preparation.TrainedWork {
    private val isArchive = artifact == Artifact.ARCHIVE
    private val written = own.resolve(if (isArchive) "app.jsa" else "app.aot")
    private var began: TimeMark? = null
    override val made get() = super.made + (artifact to written)

    /** With these flags, a JVM that cannot use the archive or cache exits, instead of running without it. */
    override val program
        get() = jarProgram(
            if (isArchive) {
                listOf("-XX:SharedArchiveFile=$written", "-Xshare:on")
            } else {
                listOf("-XX:AOTCache=$written", "-XX:AOTMode=on")
            },
        )

    override fun startTraining(cell: Cell, log: Path): RunningSubject {
        began = TimeSource.Monotonic.markNow()
        val recording = if (isArchive) "-XX:ArchiveClassesAtExit=$written" else "-XX:AOTCacheOutput=$written"
        // It may use all CPUs; the pinning flag only sets the number of CPUs that it assumes.
        val what = cell.launchable().let { it.copy(limits = it.limits.copy(cpuBy = CpuBy.PINNING)) }
        return context.trainer.start(what, log, Prepared(jarProgram(listOf(recording)), found = null))
    }

    override fun finishTraining(subject: RunningSubject) {
        val pid = checkNotNull(subject.pid) { "a training run is a process of ours" }
        fun notWritten(why: String) = LaunchFailed(Stage.PREPARE, "No ${artifact.word} was written$why", subject.lastLogLines())
        if (!endByItself(pid, WRITING)) throw notWritten(": the application did not exit within $WRITING after SIGTERM.")
        if (!Files.isReadable(written) || Files.size(written) == 0L) throw notWritten(", although the training run ended.")
        steps += PreparationStep("train", began?.elapsedNow()?.toDouble(DurationUnit.SECONDS) ?: 0.0, subject.commandLine)
    }
}

/** Writing takes seconds; an application may need half a minute to shut down. */
private val WRITING = 5.minutes

/** Sends SIGTERM to [pid]; true if it has ended within [deadline]. Can be interrupted. */
private fun endByItself(pid: Long, deadline: Duration): Boolean {
    val begun = TimeSource.Monotonic.markNow()
    ProcessHandle.of(pid).ifPresent { it.destroy() }
    while (startMark(pid) != null) {
        if (begun.elapsedNow() >= deadline) return false
        Thread.sleep(LOOK_EVERY_MS)
    }
    return true
}

private const val LOOK_EVERY_MS = 20L
