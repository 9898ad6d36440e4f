package bootdyno.launch

import bootdyno.system.isAlive
import java.nio.file.Path

/** All groups of all Boot Dynos begin like this: nothing else is ever removed. */
internal const val GROUP_PREFIX = "dyno-"

/** One line of a ledger: a word for its kind, then its fields, the last of which may hold spaces. */
internal sealed interface LedgerLine {
    data class Owner(val pid: Long, val mark: String, val boot: String) : LedgerLine

    data class Child(val pid: Long, val mark: String, val what: String) : LedgerLine

    data class ChildGone(val pid: Long) : LedgerLine

    data class Group(val folder: Path) : LedgerLine

    data class GroupGone(val folder: Path) : LedgerLine

    data class Folder(val folder: Path) : LedgerLine

    data class FolderGone(val folder: Path) : LedgerLine

    data class InEngine(val what: Docked) : LedgerLine

    data class EngineGone(val what: Docked) : LedgerLine
}

internal fun LedgerLine.text(): String = when (this) {
    is LedgerLine.Owner -> "owner $pid $mark $boot"
    is LedgerLine.Child -> "child $pid $mark ${what.replace('\n', ' ')}"
    is LedgerLine.ChildGone -> "child-gone $pid"
    is LedgerLine.Group -> "group $folder"
    is LedgerLine.GroupGone -> "group-gone $folder"
    is LedgerLine.Folder -> "folder $folder"
    is LedgerLine.FolderGone -> "folder-gone $folder"
    is LedgerLine.InEngine -> what.text("")
    is LedgerLine.EngineGone -> what.text("-gone")
}

private fun Docked.text(ending: String): String = when (this) {
    is Docked.Container -> "container$ending $name $host"
    is Docked.Image -> "image$ending $name $host"
}

/** Null for a line we cannot read: the last one may have been cut short by the kill. */
internal fun ledgerLine(text: String): LedgerLine? {
    val rest = text.substringAfter(' ', "")
    val fields = rest.split(' ', limit = 3)
    val pid = fields[0].toLongOrNull()
    return when (text.substringBefore(' ')) {
        "owner" -> pid?.takeIf { fields.size == 3 }?.let { LedgerLine.Owner(it, fields[1], fields[2]) }
        "child" -> pid?.takeIf { fields.size == 3 }?.let { LedgerLine.Child(it, fields[1], fields[2]) }
        "child-gone" -> pid?.let { LedgerLine.ChildGone(it) }
        "group" -> rest.takeIf { it.startsWith("/") }?.let { LedgerLine.Group(Path.of(it)) }
        "group-gone" -> rest.takeIf { it.startsWith("/") }?.let { LedgerLine.GroupGone(Path.of(it)) }
        "folder" -> rest.takeIf { it.startsWith("/") }?.let { LedgerLine.Folder(Path.of(it)) }
        "container" -> LedgerLine.InEngine(Docked.Container(fields[0], rest.substringAfter(' ', "")))
        "container-gone" -> LedgerLine.EngineGone(Docked.Container(fields[0], rest.substringAfter(' ', "")))
        "image" -> LedgerLine.InEngine(Docked.Image(fields[0], rest.substringAfter(' ', "")))
        "image-gone" -> LedgerLine.EngineGone(Docked.Image(fields[0], rest.substringAfter(' ', "")))
        "folder-gone" -> rest.takeIf { it.startsWith("/") }?.let { LedgerLine.FolderGone(Path.of(it)) }
        else -> null
    }
}

/** A pid may come twice: only a farewell after it counts. */
internal fun List<LedgerLine>.childrenLeft(): List<LedgerLine.Child> = withIndex().mapNotNull { (at, line) ->
    (line as? LedgerLine.Child)?.takeUnless { child -> drop(at).any { it is LedgerLine.ChildGone && it.pid == child.pid } }
}

internal fun List<LedgerLine>.groupsLeft(): List<Path> = withIndex().mapNotNull { (at, line) ->
    (line as? LedgerLine.Group)?.folder?.takeUnless { folder ->
        drop(at).any { it is LedgerLine.GroupGone && it.folder == folder }
    }
}

internal fun List<LedgerLine>.foldersLeft(): List<Path> =
    filterIsInstance<LedgerLine.Folder>().map { it.folder } - filterIsInstance<LedgerLine.FolderGone>().map { it.folder }.toSet()

/** Containers first, since they hold their images. A name may come twice: only a farewell after it counts. */
internal fun List<LedgerLine>.dockedLeft(): List<Docked> = withIndex().mapNotNull { (at, line) ->
    (line as? LedgerLine.InEngine)?.what?.takeUnless { what -> drop(at).any { it is LedgerLine.EngineGone && it.what == what } }
}.distinct().sortedBy { it is Docked.Image }

internal fun List<LedgerLine>.isSettled() =
    childrenLeft().none { isAlive(it.pid, it.mark) } && groupsLeft().isEmpty() && foldersLeft().isEmpty() &&
        dockedLeft().isEmpty()
