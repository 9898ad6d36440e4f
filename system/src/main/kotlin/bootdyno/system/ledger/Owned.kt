package bootdyno.system.ledger

import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger
import kotlin.io.path.name

/** Prefix of all our cgroups, containers, compose projects and network namespaces; others are never removed. */
const val GROUP_PREFIX = "dyno-"

/** Prefix of all our temporary folders; others are never removed. */
const val FOLDER_PREFIX = "boot-dyno-"

/** Prefix of all our images; others are never removed. */
const val IMAGE_PREFIX = "boot-dyno/"

/** A unique name of a cgroup or container; random too, because a process in another container may have our pid. */
fun newName(): String =
    "$GROUP_PREFIX${ProcessHandle.current().pid()}-${counter.incrementAndGet()}-${System.nanoTime().toString(36)}"

private val counter = AtomicInteger()

/** A resource of this process. [key] identifies it in a ledger; [text] is its complete line. */
sealed interface Owned {
    val key: String
    val text: String get() = key
    val isOurs: Boolean
}

/** A process; [mark] distinguishes it from a later one with the same pid. */
internal data class OwnedChild(val pid: Long, val mark: String, val what: String) : Owned {
    override val key get() = "child $pid"
    override val text get() = "$key $mark ${what.replace('\n', ' ')}"
    override val isOurs get() = true
}

internal data class OwnedGroup(val folder: Path) : Owned {
    override val key get() = "group $folder"
    override val isOurs get() = folder.name.startsWith(GROUP_PREFIX)
}

internal data class OwnedFolder(val folder: Path) : Owned {
    override val key get() = "folder $folder"
    override val isOurs get() = folder.name.startsWith(FOLDER_PREFIX)
}

/** A network namespace with its virtual cable. */
data class OwnedNamespace(val name: String) : Owned {
    override val key get() = "namespace $name"
    override val isOurs get() = name.startsWith(GROUP_PREFIX)
}

/** A resource of the container engine at [host]; empty for the default engine. */
data class DockerResource(val kind: Kind, val name: String, val host: String) : Owned {
    /** Containers before their images. */
    enum class Kind(val word: String, internal val prefix: String) {
        /** The containers, networks and volumes of a compose project. */
        PROJECT("project", GROUP_PREFIX),
        CONTAINER("container", GROUP_PREFIX),
        IMAGE("image", IMAGE_PREFIX),
    }

    override val key get() = "${kind.word} $name $host"
    override val isOurs get() = name.startsWith(kind.prefix)
}

/** The resource in a line of a ledger; null if unreadable, as the last line after a kill. */
internal fun ownedIn(line: String): Owned? {
    val rest = line.substringAfter(' ', "")
    val fields = rest.split(' ', limit = 3)
    return when (val word = line.substringBefore(' ')) {
        "child" -> fields[0].toLongOrNull()?.takeIf { fields.size == 3 }?.let { OwnedChild(it, fields[1], fields[2]) }

        "group" -> rest.takeIf { it.startsWith("/") }?.let { OwnedGroup(Path.of(it)) }

        "folder" -> rest.takeIf { it.startsWith("/") }?.let { OwnedFolder(Path.of(it)) }

        "namespace" -> OwnedNamespace(rest)

        else -> DockerResource.Kind.entries.find { it.word == word }
            ?.let { DockerResource(it, fields[0], rest.substringAfter(' ', "")) }
    }
}

/** The line that removes the resource [key]: `child-gone 17`. */
internal fun goneLine(key: String) = key.replaceFirst(" ", "$GONE ")

/** The resources after all [lines]. A pid or a name may be added again after its `-gone`. */
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
