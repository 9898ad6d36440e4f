package bootdyno.database

import bootdyno.system.findOnPath
import bootdyno.system.ownUser
import bootdyno.system.runShortly
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

private const val NOBODY = "nobody"

/** PostgreSQL refuses to run as root: as root we start it as `nobody`. [prefix] is the command that changes to [user]. */
internal class Unprivileged private constructor(private val user: String?, private val prefix: List<String>) {
    /** [command] with the prefix. */
    fun command(command: List<String>): List<String> = prefix + command

    /** Makes [path] the property of that user. */
    fun give(path: Path) {
        val owner = user ?: return
        Files.setOwner(path, path.fileSystem.userPrincipalLookupService.lookupPrincipalByName(owner))
    }

    companion object {
        val isRoot: Boolean get() = ownUser()?.startsWith("0:") ?: (System.getProperty("user.name") == "root")

        /** Throws [IOException] if root cannot change to another user. */
        fun here(): Unprivileged {
            if (!isRoot) return Unprivileged(null, emptyList())
            val prefix = PREFIXES.firstOrNull(::works) ?: throw IOException(
                "PostgreSQL refuses to run as root, and neither setpriv nor runuser nor su can make it run as $NOBODY: " +
                    "install util-linux, or run Boot Dyno as another user",
            )
            return Unprivileged(NOBODY, prefix)
        }

        /** In order of preference. Only the first two surely replace themselves by the command, so that its pid is the started one. */
        internal val PREFIXES: List<List<String>> by lazy {
            listOf(
                listOf("setpriv", "--reuid=${idOf("-u")}", "--regid=${idOf("-g")}", "--clear-groups", "--"),
                listOf("runuser", "-u", NOBODY, "--"),
                listOf("su", NOBODY, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--"),
            )
        }

        internal fun works(prefix: List<String>): Boolean =
            findOnPath(prefix.first()) != null && runShortly(prefix + listOf("id", "-un"))?.output?.trim() == NOBODY

        private fun idOf(flag: String): String = runShortly(listOf("id", flag, NOBODY))?.output?.trim().orEmpty()
    }
}
