package bootdyno.database

import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

private const val NOBODY = "nobody"

/** PostgreSQL refuses to run as root: then it runs as the user that owns nothing, else as we do. */
internal class Unprivileged private constructor(private val user: String?, private val wrap: (List<String>) -> List<String>) {
    /** The words that run [command] as that user. */
    fun command(command: List<String>): List<String> = wrap(command)

    /** Makes [path] that user's. */
    fun give(path: Path) {
        val owner = user ?: return
        Files.setOwner(path, path.fileSystem.userPrincipalLookupService.lookupPrincipalByName(owner))
    }

    companion object {
        val isRoot: Boolean
            get() = try {
                Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0
            } catch (_: IOException) {
                System.getProperty("user.name") == "root"
            } catch (_: UnsupportedOperationException) {
                false
            }

        /** Throws [IOException] where root has no way to become another. */
        fun here(): Unprivileged {
            if (!isRoot) return Unprivileged(null) { it }
            val way = WAYS.firstNotNullOfOrNull { it() } ?: throw IOException(
                "PostgreSQL refuses to run as root, and neither setpriv nor runuser nor su can make it run as $NOBODY: " +
                    "install util-linux, or run Boot Dyno as another user",
            )
            return Unprivileged(NOBODY, way)
        }

        /** Best first. Only the first two are sure to become the command themselves, so that its pid is the one we started. */
        internal val WAYS: List<() -> ((List<String>) -> List<String>)?> = listOf(::bySetpriv, ::byRunuser, ::bySu)
    }
}

internal fun bySetpriv(): ((List<String>) -> List<String>)? {
    val uid = numberOf("-u")
    val gid = numberOf("-g")
    if (findOnPath("setpriv") == null || uid == null || gid == null) return null
    return works { listOf("setpriv", "--reuid=$uid", "--regid=$gid", "--clear-groups", "--") + it }
}

internal fun byRunuser(): ((List<String>) -> List<String>)? =
    if (findOnPath("runuser") == null) null else works { listOf("runuser", "-u", NOBODY, "--") + it }

internal fun bySu(): ((List<String>) -> List<String>)? =
    if (findOnPath("su") == null) null else works { listOf("su", NOBODY, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--") + it }

private fun works(wrap: (List<String>) -> List<String>): ((List<String>) -> List<String>)? =
    wrap.takeIf { runShortly(it(listOf("id", "-un")))?.output?.trim() == NOBODY }

private fun numberOf(flag: String): Int? =
    runShortly(listOf("id", flag, NOBODY))?.takeIf { it.succeeded }?.output?.trim()?.toIntOrNull()
