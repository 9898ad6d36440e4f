package bootdyno.system.limits

import bootdyno.system.canPin
import java.nio.file.Path

/** Whole CPUs by `taskset`, memory by the JVM's own heap settings: what is left without groups. */
class AffinityAndHeap : Confinement {
    override val mechanism = "affinity and heap"
    override val memoryByHeap = true

    override fun whyNot(): String? =
        if (canPin()) null else "There is no taskset here to give a process CPUs of its own (Linux, util-linux)."

    override fun enclose(name: String, share: Share): Enclosure = OpenGround(
        listOfNotNull(share.quota?.let { "No CPU quota without a cgroup: the subject has whole CPUs of its own instead." }),
    )
}

/** No limit at all: the subject runs free, only its JVM is told how much it should assume. */
class Unconfined : Confinement {
    override val mechanism = "none"
    override val memoryByHeap = true

    override fun whyNot(): String? = null

    override fun enclose(name: String, share: Share): Enclosure = OpenGround(
        listOf("This machine offers no way to limit CPUs: the subject may use all of them."),
    )
}

/** No walls. */
private class OpenGround(override val notes: List<String>) : Enclosure {
    override val folders: List<Path> = emptyList()

    override fun wrap(command: List<String>) = command

    override fun group(pid: Long): Group? = null

    override fun remove() = true
}
