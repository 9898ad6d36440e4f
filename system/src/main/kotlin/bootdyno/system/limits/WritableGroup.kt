package bootdyno.system.limits

import java.io.IOException
import java.nio.file.Path
import kotlin.math.abs

internal const val PERIOD_MICROS = 100_000L

/** A group whose limits are written by us. */
internal interface WritableGroup : Group {
    /** Returns what could not be applied, in sentences. Throws [IOException]. */
    fun apply(share: Share): List<String>

    /** Null is no quota. Throws [IOException]. */
    fun writeQuota(cpus: Double?)

    override fun setQuota(cpus: Double?): Boolean = try {
        writeQuota(cpus)
        sameQuota(quota(), cpus)
    } catch (_: IOException) {
        false
    }
}

/** Equal to the microsecond the kernel keeps. */
fun sameQuota(found: Double?, asked: Double?): Boolean =
    if (found == null || asked == null) found == asked else abs(found - asked) <= 1.0 / PERIOD_MICROS

/** Makes [folders], which are [group], and applies [share] to it. Throws [IOException], and leaves nothing then. */
internal fun makeEnclosure(folders: List<Path>, group: WritableGroup, share: Share, kernel: GroupFolders): Enclosure {
    makeGroups(folders, kernel)
    try {
        return GroupEnclosure(folders, group.apply(share), group, kernel)
    } catch (refused: IOException) {
        removeGroups(folders, kernel)
        throw refused
    }
}

/** Groups made by us, of either version: entered by the shell, removed by us. */
private class GroupEnclosure(
    override val folders: List<Path>,
    override val notes: List<String>,
    private val group: Group,
    private val kernel: GroupFolders,
) : Enclosure {
    override fun wrap(command: List<String>) = enterAndExec(folders, command)

    override fun group(pid: Long): Group = group

    override fun remove() = removeGroups(folders, kernel)
}
