package bootdyno.cluster

import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.readBytes

/** What `dyno run` does in a pod: it writes the run folder [run], says [lines], and ends. [dies]: the pod is deleted before that. */
internal class InFakePod(val run: Path?, val exitCode: Int = 0, val lines: List<String> = emptyList(), val dies: Boolean = false)

/** A Kubernetes without nodes: each look at the pods of a Job is a step of all of them. [behaviour]: by round and attempt. */
internal class FakeCluster(private val behaviour: (round: Int, attempt: Int) -> InFakePod) : Cluster {
    private inner class FakePod(val order: JobOrder, val index: Int, val attempt: Int) {
        val name = "${order.name}-$index-$attempt"
        val does = behaviour(order.rounds[index], attempt)
        var steps = 0
        var inputs: PodInputs? = null
        var verdict: Int? = null
        private var readings = 0

        fun seen() = PodSeen(
            name = name,
            index = index,
            node = "node-$index".takeIf { steps > 1 },
            phase = when {
                verdict == 0 -> PodPhase.SUCCEEDED
                verdict != null -> PodPhase.FAILED
                steps < 2 -> PodPhase.PENDING
                else -> PodPhase.RUNNING
            },
            waits = "2 nodes did not match pod anti-affinity rules".takeIf { steps < 2 },
            failure = verdict?.let { "exit code $it" },
        )

        fun log(): String {
            if (inputs != null) readings++
            val measures = listOf("boot-dyno: measures round ${order.rounds[index]}") + does.lines
            return (
                listOf("boot-dyno: waits for its inputs") +
                    (if (inputs != null) measures else emptyList()) +
                    (if (readings > 1 && !does.dies) listOf("boot-dyno: ended ${does.exitCode}") else emptyList())
                ).joinToString("\n")
        }
    }

    private val pods = mutableListOf<FakePod>()
    private var trouble: ClusterTrouble? = null

    val orders = mutableListOf<JobOrder>()
    val deleted = mutableListOf<String>()

    /** Set by a test: why the Job has failed. */
    var failure: String? = null

    /** Called at each look at the pods. */
    var atLook: () -> Unit = {}

    override val title = "fake"

    /** The next request fails. */
    @Synchronized
    fun fails(trouble: ClusterTrouble) {
        this.trouble = trouble
    }

    @Synchronized
    override fun create(order: JobOrder) {
        answer()
        orders += order
        order.rounds.indices.forEach { pods += FakePod(order, it, attempt = 1) }
    }

    @Synchronized
    override fun job(name: String): JobSeen? {
        answer()
        if (name in deleted || orders.none { it.name == name }) return null
        val done = pods.filter { it.order.name == name && it.verdict == 0 }.map { it.index }.toSet()
        return JobSeen(hasEnded = failure != null || done.size == orders.last().rounds.size, failure)
    }

    @Synchronized
    override fun pods(job: String): List<PodSeen> {
        atLook()
        pods.forEach { it.steps++ }
        pods.filter { it.does.dies && it.steps == 4 }.forEach(::replace)
        return pods.filter { it.order.name == job }.map { it.seen() }
    }

    @Synchronized
    override fun log(pod: String): String = pod(pod).log()

    @Synchronized
    override fun send(pod: String, inputs: PodInputs) {
        pod(pod).inputs = inputs
    }

    @Synchronized
    override fun fetch(pod: String, archive: Path) {
        TarArchiveOutputStream(Files.newOutputStream(archive)).use { tar -> pod(pod).does.run?.let { tar.addRun(it) } }
    }

    @Synchronized
    override fun end(pod: String, exitCode: Int) {
        val ended = pod(pod).apply { verdict = exitCode }
        if (exitCode != 0) pods += FakePod(ended.order, ended.index, ended.attempt + 1)
    }

    @Synchronized
    override fun delete(job: String): Boolean {
        deleted += job
        pods.removeIf { it.order.name == job }
        return true
    }

    override fun close() = Unit

    private fun replace(pod: FakePod) {
        pods -= pod
        pods += FakePod(pod.order, pod.index, pod.attempt + 1)
    }

    private fun answer() {
        trouble?.let {
            trouble = null
            throw it
        }
    }

    private fun pod(name: String) =
        pods.find { it.name == name } ?: throw ClusterTrouble("There is no pod $name.", refused = false)

    private fun TarArchiveOutputStream.addRun(run: Path) = Files.walk(run).use { files ->
        files.filter { it.isRegularFile() }.forEach { file ->
            val bytes = file.readBytes()
            putArchiveEntry(TarArchiveEntry("./${run.name}/${run.relativize(file)}").apply { size = bytes.size.toLong() })
            write(bytes)
            closeArchiveEntry()
        }
    }
}
