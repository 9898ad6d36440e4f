package bootdyno.kubernetes

import bootdyno.cli.COMMAND
import bootdyno.cli.joinRounds
import bootdyno.cluster.Cluster
import bootdyno.cluster.ClusterRun
import bootdyno.cluster.ClusterTrouble
import bootdyno.cluster.CollectedRounds
import bootdyno.cluster.PodInputs
import bootdyno.cluster.PodRounds
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.interruptible
import bootdyno.model.shellPath
import bootdyno.store.RunFolder
import bootdyno.system.withoutInterrupts
import com.github.ajalt.clikt.core.ProgramResult
import kotlin.io.path.exists
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Time for pods that have ended, after Ctrl-C. */
private val LAST_LOOK = 8.seconds

/** Between two looks at the pods. */
internal val BETWEEN_LOOKS = 2.seconds

/** Measures the rounds of [run] in pods of [cluster], collects them in [collected], and merges them. */
internal class PodRun(
    private val cluster: Cluster,
    private val collected: CollectedRounds,
    private val run: ClusterRun,
    private val say: (String) -> Unit,
    private val pause: Duration = BETWEEN_LOOKS,
) {
    /**
     * The merged run. [experiment]: the text that pods get. [exists]: whether the Job exists already.
     * @throws InputProblem if the pods or Kubernetes refuse
     */
    fun merged(experiment: String, exists: Boolean): RunFolder = asClusterInput {
        PodInputs.pack(run.order.experiment, experiment, run.files).use { inputs ->
            collect(inputs, exists)
            joinRounds(collected.runs().values.toList(), collected.merged, say)
        }
    }

    private fun collect(inputs: PodInputs, exists: Boolean) {
        var isThere = exists
        val whyEnded = PodRounds(cluster, run.order, inputs, collected, say, pause).use { pods ->
            interruptible({ sayKept("Interrupted. ") }) {
                try {
                    if (isThere) say("Going on with the Job ${run.order.name}.") else create()
                    isThere = true
                    pods.collect()
                } finally {
                    withoutInterrupts {
                        if (isThere) {
                            if (collected.runs().size < run.order.allRounds) pods.collectEnded(LAST_LOOK)
                            removeJob()
                        }
                        collected.discardIfEmpty()
                    }
                }
            }
        }
        whyEnded?.let { ended ->
            sayKept("$ended ")
            throw ProgramResult(ExitCode.TRIAL_FAILED)
        }
    }

    private fun create() {
        val order = run.order
        try {
            cluster.create(order)
        } catch (trouble: ClusterTrouble) {
            // Without an answer it may exist.
            runCatching { cluster.delete(order.name) }
            throw trouble
        }
        val rounds = if (order.rounds.size == 1) "round" else "rounds"
        say("Job ${order.name} measures $rounds ${order.rounds.joinToString()} of ${order.allRounds} (${cluster.title}).")
    }

    private fun removeJob() {
        val name = run.order.name
        try {
            if (!cluster.delete(name)) say("The Job $name is deleted when its last pod ends. Kubernetes waits for its node.")
        } catch (trouble: ClusterTrouble) {
            say("${trouble.message}\nDelete the Job: kubectl delete job $name")
        }
    }

    private fun sayKept(why: String) {
        if (!collected.path.exists()) return say("${why}No round is kept.")
        val kept = collected.runs().size
        say("$why$kept of ${run.order.allRounds} rounds are kept; go on with: $COMMAND resume ${shellPath("${collected.path}")}")
    }
}
