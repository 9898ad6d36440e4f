package bootdyno.system.limits

import bootdyno.system.Inherited
import bootdyno.system.canPin
import java.nio.file.Path

/** A way to hold a subject to its limits. Add one: a file, and a line in [confinements]. */
interface Confinement {
    /** As it stands in the report: `cgroup v1`, `affinity and heap`… */
    val mechanism: String

    /** It holds the JVM to its memory only by telling it how much there is; nothing outside the JVM does. */
    val memoryByHeap: Boolean get() = false

    /** Tries it for real and leaves nothing behind. Null: it works here; else why not, in a sentence. */
    fun whyNot(): String? = null

    /** Makes room for one subject. [name] is unique among all groups of this machine. */
    fun enclose(name: String, share: Share): Enclosure
}

/** What a group is to allow, [memory] in bytes; null is no limit. [favoured]: it may outweigh others on its CPUs, the engine not being there. */
data class Share(val quota: Double?, val memory: Long?, val favoured: Boolean)

/** The room made for one subject. */
interface Enclosure {
    /** Folders of our own in the kernel's trees. */
    val folders: List<Path> get() = emptyList()

    /** What could not be applied, in sentences. */
    val notes: List<String> get() = emptyList()

    /** What the words of [wrap] need of our environment. */
    val inherits: Inherited get() = Inherited.BASIC

    /** The command that runs [command] inside from its first instruction, under the pid it is started with. */
    fun wrap(command: List<String>): List<String> = command

    /** The group that holds [pid]; null when there is none. */
    fun group(pid: Long): Group? = null

    /** Ends what is still inside, and removes the room. True when nothing is left. */
    fun remove(): Boolean = true
}

/** Bytes of a group that is only made to see whether one can be made. */
internal const val TRIED_MEMORY = 64L shl 20

/** A way to limit, and why it does not work here; null: it works. */
data class ConfinementFound(val confinement: Confinement, val whyNot: String?)

/** Every way this machine could have, best first, each tried for real. For `dyno doctor`. */
fun confinementsHere(): List<ConfinementFound> = confinements(KernelGroupFolders).map { ConfinementFound(it, it.whyNot()) }

/** The best way that works here; its groups are made and removed by [kernel]. */
fun detectConfinement(kernel: GroupFolders = KernelGroupFolders): Confinement = confinements(kernel).first { it.whyNot() == null }

private fun confinements(kernel: GroupFolders): List<Confinement> {
    val mounts = cgroupMountsHere()
    return listOf(
        cgroupV2(mounts.v2, mounts.v2Top, kernel),
        cgroupV1(mounts.v1, kernel),
        SystemdScope(user = System.getProperty("user.name") != "root", cgroupTop = mounts.v2Top),
        AffinityAndHeap(),
        Unconfined(),
    )
}

/** Whole CPUs by `taskset`, memory by the JVM's own heap settings: what is left without groups. */
class AffinityAndHeap : Confinement {
    override val mechanism = "affinity and heap"
    override val memoryByHeap = true

    override fun whyNot(): String? =
        if (canPin()) null else "There is no taskset here to give a process CPUs of its own (Linux, util-linux)."

    override fun enclose(name: String, share: Share) = OpenGround(
        listOfNotNull(share.quota?.let { "No CPU quota without a cgroup: the subject has whole CPUs of its own instead." }),
    )
}

/** No limit at all: the subject runs free, only its JVM is told how much it should assume. */
class Unconfined : Confinement {
    override val mechanism = "none"
    override val memoryByHeap = true

    override fun enclose(name: String, share: Share) =
        OpenGround(listOf("This machine offers no way to limit CPUs: the subject may use all of them."))
}

/** No walls. */
class OpenGround internal constructor(override val notes: List<String>) : Enclosure
