package bootdyno.cli

import bootdyno.system.availableCpus
import bootdyno.system.formatCpuList
import bootdyno.system.moveToCpus
import bootdyno.system.parseCpuList
import bootdyno.system.readOrNull
import kotlin.io.path.Path

/** A pod of `run --on kubernetes`, as its manifest says. */
internal class InPod(val node: String, private val cpus: Int) {
    /**
     * Which of the [available] CPUs this process may use, and how that is said. Without CPUs of its own, a pod has a quota of as much CPU
     * time on all CPUs of its [node]. On so many CPUs, subject and load engine never exceed it.
     */
    fun confinement(available: List<Int>, onNode: Int): PodCpus {
        val podCpus = available.takeLast(cpus)
        val list = formatCpuList(podCpus)
        if (available.size < onNode && available.size <= cpus) {
            return PodCpus(available, "This pod has CPUs of its own on $node: $list.", null)
        }
        return PodCpus(
            podCpus,
            "This pod has no CPUs of its own on $node; it uses CPUs $list.",
            "The pod on $node had no CPUs of its own: other processes may have used CPUs $list. " +
                "Turn on the kubelet's static CPU manager.",
        )
    }

    companion object {
        /** Null outside of such a pod. */
        fun found(variables: Map<String, String> = System.getenv()): InPod? {
            val node = variables["BOOT_DYNO_NODE"] ?: return null
            return InPod(node, variables["BOOT_DYNO_CPUS"]?.toIntOrNull() ?: return null)
        }
    }
}

/** [warning]: for the run's environment; null if there is none. */
internal data class PodCpus(val cpus: List<Int>, val sentence: String, val warning: String?)

/** Keeps this process and all that it starts to the CPUs of its pod. Null outside of pods of Boot Dyno. */
internal fun confineToPod(): PodCpus? {
    val available = availableCpus()
    val online = readOrNull(Path("/sys/devices/system/cpu/online"))?.let { parseCpuList(it).size } ?: available.size
    val confinement = InPod.found()?.confinement(available, online) ?: return null
    if (confinement.cpus == available || moveToCpus(listOf(ProcessHandle.current().pid()), confinement.cpus)) return confinement
    return confinement.copy(sentence = confinement.sentence.replace("; it uses CPUs", ", and cannot be confined to CPUs"))
}
