package bootdyno.kubernetes

import bootdyno.cli.COMMAND
import bootdyno.cli.joinRounds
import bootdyno.cli.openRun
import bootdyno.cluster.Cluster
import bootdyno.cluster.ClusterRun
import bootdyno.cluster.CollectedRounds
import bootdyno.cluster.KubernetesCluster
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.store.RunFolder
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.time.Duration

/** Measures the missing rounds of the run in [folder], and merges all. @throws InputProblem */
internal fun resumeOnKubernetes(
    folder: Path,
    say: (String) -> Unit,
    pause: Duration = BETWEEN_LOOKS,
    connect: (ClusterRun) -> Cluster = { asClusterInput { KubernetesCluster.connect(it.context, it.namespace) } },
): RunFolder {
    val collected = CollectedRounds(folder)
    if (collected.merged.exists()) return openRun(collected.merged)
    return collected.alone { Resumption(collected, say, pause, connect).merged() }
        ?: throw InputProblem("Another process collects the rounds of $folder.\nWait for it, or end it.")
}

private class Resumption(
    private val collected: CollectedRounds,
    private val say: (String) -> Unit,
    private val pause: Duration,
    private val connect: (ClusterRun) -> Cluster,
) {
    fun merged(): RunFolder {
        val run = asInput { collected.read() }
        val missing = (1..run.order.allRounds) - collected.runs().keys
        return connect(run).use { cluster ->
            val isMeasuring = asClusterInput { cluster.job(run.order.name) }?.hasEnded == false
            when {
                missing.isEmpty() -> {
                    asClusterInput { cluster.delete(run.order.name) }
                    joinRounds(collected.runs().values.toList(), collected.merged, say)
                }

                isMeasuring && run.hidden.isEmpty() ->
                    PodRun(cluster, collected, run, say, pause).merged(collected.experiment(), exists = true)

                else -> again(cluster, run, missing)
            }
        }
    }

    private fun again(cluster: Cluster, before: ClusterRun, missing: List<Int>): RunFolder {
        asClusterInput { cluster.delete(before.order.name) }
        if (before.hidden.isNotEmpty()) {
            val secrets = before.hidden.joinToString()
            throw InputProblem(
                "This run cannot be resumed, since its folder keeps no secrets: $secrets.\nStart it again with $COMMAND run.",
            )
        }
        val name = newJobName(before.order.experiment.removeSuffix(".yaml"))
        val run = before.copy(order = before.order.copy(name = name, rounds = missing))
        collected.write(run)
        return PodRun(cluster, collected, run, say, pause).merged(collected.experiment(), exists = false)
    }
}
