package bootdyno.system.ledger

import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.name

/** All groups and containers of all Boot Dynos begin like this: no others are ever removed. */
const val GROUP_PREFIX = "dyno-"

/** All folders for temporary files of all Boot Dynos begin like this: no others are ever removed. */
const val FOLDER_PREFIX = "boot-dyno-"

/** All images of all Boot Dynos begin like this: no others are ever removed. */
const val IMAGE_PREFIX = "boot-dyno/"

/** A name that no other group or container of any Boot Dyno has: one in a container of its own may have our pid. */
fun newName(): String =
    "$GROUP_PREFIX${ProcessHandle.current().pid()}-${counter.incrementAndGet()}-${System.nanoTime().toString(36)}"

private val counter = AtomicInteger()

/** What a Boot Dyno has started or made. [key] tells it from all others, as a ledger says it; [text] is its whole line. */
sealed interface Owned {
    val key: String
    val text: String get() = key
    val isOurs: Boolean
}

/** A process; [mark] tells it from a later one with the same pid. */
internal data class OwnedChild(val pid: Long, val mark: String, val what: String) : Owned {
    override val key get() = "child $pid"
    override val text get() = "$key $mark ${what.replace('\n', ' ')}"
    override val isOurs get() = true
}

/** A folder in the kernel's tree of groups. */
internal data class OwnedGroup(val folder: Path) : Owned {
    override val key get() = "group $folder"
    override val isOurs get() = folder.name.startsWith(GROUP_PREFIX)
}

internal data class OwnedFolder(val folder: Path) : Owned {
    override val key get() = "folder $folder"
    override val isOurs get() = folder.name.startsWith(FOLDER_PREFIX)
}

/** Something in the container engine at [host]; an empty [host] is the engine that this machine's user has. */
data class DockerResource(val kind: Kind, val name: String, val host: String) : Owned {
    /** Containers first: they hold their images. */
    enum class Kind(val word: String, internal val prefix: String) {
        CONTAINER("container", GROUP_PREFIX),
        IMAGE("image", IMAGE_PREFIX),
    }

    override val key get() = "${kind.word} $name $host"
    override val isOurs get() = name.startsWith(kind.prefix)
}

/** What a line of a ledger says is owned; null where it cannot be read: the last one may have been cut short by a kill. */
internal fun ownedIn(line: String): Owned? {
    val rest = line.substringAfter(' ', "")
    val fields = rest.split(' ', limit = 3)
    return when (line.substringBefore(' ')) {
        "child" -> fields[0].toLongOrNull()?.takeIf { fields.size == 3 }?.let { OwnedChild(it, fields[1], fields[2]) }
        "group" -> rest.takeIf { it.startsWith("/") }?.let { OwnedGroup(Path.of(it)) }
        "folder" -> rest.takeIf { it.startsWith("/") }?.let { OwnedFolder(Path.of(it)) }
        "container" -> DockerResource(DockerResource.Kind.CONTAINER, fields[0], rest.substringAfter(' ', ""))
        "image" -> DockerResource(DockerResource.Kind.IMAGE, fields[0], rest.substringAfter(' ', ""))
        else -> null
    }
}

/** The line that says that what has this [key] is no longer owned: `child-gone 17`. */
internal fun goneLine(key: String) = key.replaceFirst(" ", "$GONE ")

/** What is owned at the end of [lines]: a pid or a name may come twice, and only a later `-gone` counts. */
internal fun ownedAtEnd(lines: List<String>): List<Owned> = buildMap {
    for (line in lines) {
        val word = line.substringBefore(' ')
        if (word.endsWith(GONE)) {
            remove(word.removeSuffix(GONE) + line.removePrefix(word))
        } else {
            ownedIn(line)?.let { put(it.key, it) }
        }
    }
}.values.toList()

private const val GONE = "-gone"
