package bootdyno.cluster

import bootdyno.model.redactText
import bootdyno.store.RunFolderException
import bootdyno.system.onFailure
import bootdyno.system.result
import java.io.IOException
import java.nio.file.Files
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ExecutionException
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Future
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration

/** `dyno run` in a pod refused its input; the message is its own. */
class PodRefused(message: String) : RuntimeException(message)

/** `dyno run` ended with invalid input. */
private const val INPUT = 2

/** A pod ends with it when its round is incomplete, so that Kubernetes repeats it. */
private const val INCOMPLETE = 75

/**
 * Gives the pods of a Job their inputs, shows how far they are, and collects their rounds.
 *
 * All that it decides by is in Kubernetes and in [collected]: after a crash, another one goes on with the same Job.
 * @param pause between two looks at the pods
 */
class PodRounds(
    private val cluster: Cluster,
    private val order: JobOrder,
    private val inputs: PodInputs,
    private val collected: CollectedRounds,
    private val say: (String) -> Unit,
    private val pause: Duration,
) : AutoCloseable {
    private val executor: ExecutorService = Executors.newVirtualThreadPerTaskExecutor()

    /** The step of each pod that is or was last under way. Owned by the collecting thread. */
    private val steps = mutableMapOf<String, Future<*>>()

    /** What was last said about each pod. */
    private val latest = ConcurrentHashMap<String, String>()

    /** Pods that have got their inputs. */
    private val supplied = ConcurrentHashMap.newKeySet<String>()

    /** Whether no pod gets inputs any more. */
    @Volatile
    private var isEnding = false

    /** Pods that were seen running. Owned by the collecting thread. */
    private val running = mutableMapOf<String, PodSeen>()

    /**
     * Returns when all rounds of the order are collected, or the Job has ended otherwise: then with a sentence that says how.
     * @throws PodRefused if a pod refuses its input
     * @throws ClusterTrouble if Kubernetes refuses a request
     */
    fun collect(): String? {
        while (true) {
            if (collected.runs().keys.containsAll(order.rounds)) return null
            patiently { look() }?.let { return it }
            Thread.sleep(pause.toJavaDuration())
        }
    }

    /** Collects what has ended, for at most [limit]. Of use after an interrupt. */
    fun collectEnded(limit: Duration) {
        isEnding = true
        val began = TimeSource.Monotonic.markNow()
        try {
            cluster.pods(order.name).forEach(::attend)
        } catch (unreachable: ClusterTrouble) {
            say(unreachable.message.orEmpty())
        }
        steps.values.forEach { step ->
            try {
                step.get((limit - began.elapsedNow()).inWholeMilliseconds.coerceAtLeast(0), TimeUnit.MILLISECONDS)
            } catch (_: TimeoutException) {
                step.cancel(true)
            } catch (failed: ExecutionException) {
                say(failed.cause?.message.orEmpty())
            }
        }
    }

    override fun close() {
        executor.shutdownNow()
    }

    /** Why the Job has ended; null while it goes on. */
    private fun look(): String? {
        steps.values.filter { it.isDone }.forEach { it.result() }
        val job = cluster.job(order.name) ?: return "The Job ${order.name} was deleted."
        val pods = cluster.pods(order.name)
        pods.forEach(::show)
        pods.forEach(::attend)
        sayWhatIsGone(pods)
        refuseImage(pods)
        if (!job.hasEnded || steps.values.any { !it.isDone }) return null
        if (collected.runs().keys.containsAll(order.rounds)) return null
        return "The Job ${order.name} has ended before all rounds were measured" + job.failure?.let { ": $it" }.orEmpty() + "."
    }

    private fun attend(pod: PodSeen) {
        if (pod.phase != PodPhase.RUNNING || pod.isLeaving || steps[pod.name]?.isDone == false) return
        running[pod.name] = pod
        steps[pod.name] = executor.submit(Runnable { patiently { step(pod) } })
    }

    /** What [pod] needs next, by what it has printed. */
    private fun step(pod: PodSeen) {
        val log = podLog(cluster.log(pod.name))
        when (log.stage) {
            PodStage.STARTS -> Unit
            PodStage.WAITS_FOR_INPUTS -> supply(pod)
            PodStage.MEASURES -> log.trials?.let { once(pod.name, "${shown(pod)}: $it") }
            PodStage.ENDED -> settle(pod, log)
        }
        log.lines.filter { it.startsWith(OF_THE_POD) && latest.putIfAbsent(it, it) == null }.forEach { say("${shown(pod)}: $it") }
    }

    private fun supply(pod: PodSeen) {
        if (isEnding || !supplied.add(pod.name)) return
        onFailure({ supplied -= pod.name }) {
            cluster.send(pod.name, inputs)
            once(pod.name, "${shown(pod)} begins")
        }
    }

    private fun settle(pod: PodSeen, log: PodLog) {
        val round = order.rounds[pod.index]
        val lacks = if (round in collected.runs()) null else fetch(pod, round)
        if (log.exitCode == INPUT) throw PodRefused(log.lines.joinToString("\n") { redactText(it) })
        once(pod.name, "${shown(pod)} is measured" + lacks?.let { " again: $it (exit code ${log.exitCode})" }.orEmpty())
        cluster.end(pod.name, if (lacks == null) 0 else INCOMPLETE)
    }

    /** What the round lacks; null if it is complete. */
    private fun fetch(pod: PodSeen, round: Int): String? {
        val archive = collected.archiveOf(round)
        try {
            cluster.fetch(pod.name, archive)
            return collected.keep(archive, round, pod.node.orEmpty())
        } finally {
            Files.deleteIfExists(archive)
        }
    }

    private fun show(pod: PodSeen) {
        val line = when (pod.phase) {
            PodPhase.PENDING -> pod.waits?.let { "${shown(pod)}${if (pod.node == null) " waits for a node" else ""}: $it" }
            PodPhase.FAILED -> "${shown(pod)} failed: ${pod.failure ?: "its pod was stopped"}. Kubernetes repeats it."
            PodPhase.RUNNING, PodPhase.SUCCEEDED -> null
        }
        if (line != null && order.rounds[pod.index] !in collected.runs()) once(pod.name, line)
    }

    private fun sayWhatIsGone(pods: List<PodSeen>) {
        val alive = pods.filterNot { it.isLeaving }.map { it.name }
        (running - alive.toSet()).forEach { (name, pod) ->
            running -= name
            if (order.rounds[pod.index] in collected.runs()) return@forEach
            once(name, "${shown(pod)}: its pod was deleted. Kubernetes repeats the round.")
        }
    }

    /** An image that no node can have ends the run; once a pod ran, it may be one node's trouble. */
    private fun refuseImage(pods: List<PodSeen>) {
        val lacking = pods.find { it.lacksImage } ?: return
        if (running.isNotEmpty() || collected.runs().isNotEmpty()) return
        throw PodRefused(
            "The image ${order.image} cannot be had on ${lacking.node}: ${lacking.waits}\nName another one by --pod-image.",
        )
    }

    /** `round 3/6 on node-b`. */
    private fun shown(pod: PodSeen) = "round ${order.shownRound(pod.index)}" + pod.node?.let { " on $it" }.orEmpty()

    private fun once(about: String, line: String) {
        if (latest.put(about, line) != line) say(line)
    }

    /** Runs [action] again later if it failed for a reason that may pass. */
    private fun <T> patiently(action: () -> T?): T? = try {
        action()
    } catch (trouble: ClusterTrouble) {
        if (Thread.interrupted()) throw InterruptedException()
        if (trouble.refused) throw trouble
        once("trouble", "${trouble.message} Trying again.")
        null
    } catch (full: RunFolderException) {
        unsaved(full)
    } catch (full: IOException) {
        unsaved(full)
    }

    private fun unsaved(failure: Exception): Nothing? {
        once("trouble", "A round cannot be saved: ${failure.message} Its pod keeps it. Trying again.")
        return null
    }

    internal companion object {
        /** How a line begins in which `dyno run` says what its pod has. */
        const val OF_THE_POD = "This pod "
    }
}
