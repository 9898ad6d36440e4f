package bootdyno.run

import bootdyno.engine.EngineFailed
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.withTokens
import bootdyno.model.Cell
import bootdyno.model.Stage
import bootdyno.model.reaching
import bootdyno.schedule.Timing
import java.nio.file.Path

/** Assumed slowdown of a training run, for its time limit; it has all CPUs, but records. */
private const val RECORDING = 1.5

/**
 * Prepares variants, each once before its first trial, so that no preparation runs during a measurement. A failed preparation fails all trials
 * that need it. Owned by the thread that runs the rounds.
 */
internal class Preparing(private val parts: TrialParts, private val seed: Long) {
    private val made = mutableMapOf<String, Prepared>()
    private val failed = mutableMapOf<String, LaunchFailed>()

    /**
     * The program of [cell]. Output goes beside [log], the log of the trial that is about to start. Its [notes] get a stage only if there is
     * something to prepare.
     */
    fun prepare(cell: Cell, log: Path, notes: TrialNotes): Prepared = when (val preparation = parts.preparation(cell)) {
        is Preparation.Nothing -> preparation.prepared
        is Preparation.Work -> made[preparation.key] ?: notes.during(Stage.PREPARE) { once(preparation, cell, log) }
    }

    private fun once(work: Preparation.Work, cell: Cell, log: Path): Prepared {
        failed[work.key]?.let { throw it }
        try {
            work.make(log.resolveSibling("preparation.log"))
            if (work is Preparation.TrainedWork) train(work, cell, log.resolveSibling("training.log"))
            return work.prepared().also { made[work.key] = it }
        } catch (failure: LaunchFailed) {
            throw LaunchFailed(Stage.PREPARE, failure.reason, failure.lastLines, failure).also { failed[work.key] = it }
        }
    }

    private fun train(work: Preparation.TrainedWork, cell: Cell, log: Path) = TrialServices(parts).use { services ->
        services.start(parts.servicesOf(cell), log.resolveSibling(""))
        parts.startTraining(work, cell.reaching(services.addresses), log).use { subject ->
            subject.awaitReady(cell.subject.readyPath, (cell.subject.readyWithin ?: Timing.READY_WITHIN) * RECORDING)
            load(subject, parts.trainedBy(cell))
            services.checkAlive(Stage.PREPARE)
            subject.deathReport()?.let { throw LaunchFailed(Stage.PREPARE, it, subject.lastLogLines()) }
            work.finishTraining(subject)
        }
    }

    /** Sends the requests of the windows, so that the archive or cache contains their code. */
    private fun load(subject: RunningSubject, cells: List<Cell>) = cells.forEach { declared ->
        val cell = declared.copy(workload = withTokens(declared.workload))
        subject.verify(cell.workload)
        try {
            val order = warmUpOrder(cell, subject.base, Timing.TRAINING / cells.size, cheap = false, seed)
            parts.engine(cell.profile.engine.ownEngine).drive(order.copy(process = subject.pid)) {}
        } catch (failure: EngineFailed) {
            val reason = "The load of the training run broke: ${failure.message}"
            throw LaunchFailed(Stage.PREPARE, reason, subject.lastLogLines(), failure)
        }
    }
}
