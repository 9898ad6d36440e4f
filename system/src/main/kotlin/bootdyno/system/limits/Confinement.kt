package bootdyno.system.limits

import bootdyno.system.Inherited
import bootdyno.system.canPin
import java.nio.file.Path

/** A mechanism for CPU and memory limits. Each is also in the list of [confinements]. */
interface Confinement {
    /** Name in reports: `cgroup v1`, `affinity and heap`… */
    val mechanism: String

    /** Whether the memory limit is only a JVM setting. */
    val memoryByHeap: Boolean get() = false

    /** Tries it and cleans up. Null if it works here; otherwise the reason as a sentence. */
    fun whyNot(): String? = null

    /** Creates the limits of one subject. [name] is unique on this machine. */
    fun enclose(name: String, share: Share): Enclosure
}

/** Limits of a cgroup; [memory] in bytes, null is unlimited. [favoured]: whether it may have more CPU weight, if the engine uses other CPUs. */
data class Share(val quota: Double?, val memory: Long?, val favoured: Boolean)

/** The limits of one subject. */
interface Enclosure {
    /** Our cgroup folders. */
    val folders: List<Path> get() = emptyList()

    /** Sentences about limits that could not be applied. */
    val notes: List<String> get() = emptyList()

    /** Variables of our environment that [wrap]'s command needs. */
    val inherits: Inherited get() = Inherited.BASIC

    /** A command that runs [command] with the limits from its first instruction, with the same pid. */
    fun wrap(command: List<String>): List<String> = command

    /** The cgroup of [pid]; null without one. */
    fun group(pid: Long): Group? = null

    /** Ends all processes inside, and removes the limits. True if nothing is left. */
    fun remove(): Boolean = true
}

/** Memory of a cgroup for a test, bytes. */
internal const val TRIED_MEMORY = 64L shl 20

/** A mechanism, and why it does not work here; null if it works. */
data class ConfinementFound(val confinement: Confinement, val whyNot: String?)

/** All mechanisms, the best first, each tried. For `dyno doctor`. */
fun confinementsHere(): List<ConfinementFound> = confinements(KernelGroupFolders).map { ConfinementFound(it, it.whyNot()) }

/** The best mechanism that works here; [kernel] creates and removes its cgroups. */
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

/** Whole CPUs by `taskset`, and memory by JVM heap settings: the fallback without cgroups. */
class AffinityAndHeap : Confinement {
    override val mechanism = "affinity and heap"
    override val memoryByHeap = true

    override fun whyNot(): String? =
        if (canPin()) null else "There is no taskset here to give a process CPUs of its own (Linux, util-linux)."

    override fun enclose(name: String, share: Share) = Unrestricted(
        listOfNotNull(share.quota?.let { "No CPU quota without a cgroup: the subject has whole CPUs of its own instead." }),
    )
}

/** No limits; the JVM gets matching settings only. */
class Unconfined : Confinement {
    override val mechanism = "none"
    override val memoryByHeap = true

    override fun enclose(name: String, share: Share) =
        Unrestricted(listOf("This machine offers no way to limit CPUs: the subject may use all of them."))
}

class Unrestricted internal constructor(override val notes: List<String>) : Enclosure
