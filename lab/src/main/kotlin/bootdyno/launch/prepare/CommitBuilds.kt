package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.orLaunchFailed
import bootdyno.model.Stage
import bootdyno.system.Inherited
import bootdyno.system.ShortCommand
import bootdyno.system.ioOrNull
import bootdyno.system.ledger.Ledger
import bootdyno.system.nullOn
import bootdyno.system.runWithin
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.name
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** A commit, with its hash of 40 digits or more. */
class Commit(val hash: String) {
    val short: String get() = hash.take(SHORT_COMMIT)
}

private const val SHORT_COMMIT = 12

/** The commit that [name] (a branch, a tag, a hash) is in the git repository of [folder]; null if it is none, or without git. */
fun commitIn(folder: Path, name: String): Commit? {
    if (name.startsWith("-")) return null
    val parsed = git(folder, "rev-parse", "--verify", "--quiet", "$name^{commit}")
    return parsed?.takeIf { it.succeeded }?.let { Commit(it.output) }
}

private fun git(folder: Path, vararg words: String): ShortCommand? =
    ioOrNull { runWithin(10.seconds, listOf("git", "-C", "$folder") + words, Inherited.BUILD) }

/**
 * Builds commits of the git repository of [folder], each in a worktree of its own that is removed afterwards. The output of git and of the build
 * goes to [log].
 */
class CommitBuilds(private val folder: Path, private val ledger: Ledger, private val log: Path) {
    /**
     * The executable jar that the shell command [build] makes of [commit], copied into [kept]. The command runs in the folder that corresponds to
     * [folder], with all variables of the shell. Throws [LaunchFailed] if it fails, or makes no executable jar or several.
     */
    fun jarOf(commit: Commit, build: String, kept: Path): Path {
        val worktree = orLaunchFailed(Stage.PREPARE, "No folder could be made for the build of ${commit.short}") {
            ledger.temporaryFolder("build").toRealPath()
        }
        try {
            val checkout = listOf("git", "worktree", "add", "--detach", "$worktree", commit.hash)
            tool(folder).toTheEnd("git worktree add", checkout, LONGEST_CHECKOUT)
            val within = worktree.resolve(git(folder, "rev-parse", "--show-prefix")?.output.orEmpty())
            val place = worktree.relativize(within)
            if (!Files.isDirectory(within)) throw failed("The commit ${commit.short} has no folder $place.")
            val before = jarsIn(worktree).toSet()
            tool(within).toTheEnd("The build of ${commit.short} ($build)", listOf("sh", "-c", build), LONGEST_BUILD)
            return copied(executableOf(jarsIn(worktree) - before, worktree, commit), kept)
        } finally {
            git(folder, "worktree", "remove", "--force", "$worktree")
            ledger.removeTemporary(worktree)
            git(folder, "worktree", "prune")
        }
    }

    private fun tool(where: Path) = ToolRun(ledger, log, Inherited.BUILD, Stage.PREPARE, where)

    private fun executableOf(made: List<Path>, worktree: Path, commit: Commit): Path {
        val executable = made.filter(::isExecutable).let { all -> all - all.flatMap(::filesBeside).toSet() }
        executable.singleOrNull()?.let { return it }
        fun names(jars: List<Path>) = jars.joinToString { "${worktree.relativize(it)}" }
        throw when {
            made.isEmpty() -> failed("The build of ${commit.short} made no jar. Check the command of --build.")

            executable.isEmpty() -> failed(
                "The build of ${commit.short} made no executable jar: ${names(made)}. " +
                    "Build it with spring-boot:repackage or bootJar.",
            )

            else -> failed(
                "The build of ${commit.short} made several executable jars: ${names(executable)}. Let --build make one of them.",
            )
        }
    }

    private fun isExecutable(jar: Path): Boolean = nullOn(UnusableJar::class) { inspectJar(jar) } != null

    private fun copied(jar: Path, kept: Path): Path = copyApplication(jar, kept.createDirectories(), jar.name)

    private fun failed(reason: String) = LaunchFailed(Stage.PREPARE, reason)
}

/** Without hidden folders, where build tools keep jars of their own. */
private fun jarsIn(root: Path): List<Path> = Files.walk(root).use { files ->
    files.filter { isNamedAsJar(it.name) && Files.isRegularFile(it) }
        .filter { file -> root.relativize(file).none { it.name.startsWith(".") } }.sorted().toList()
}

private val LONGEST_CHECKOUT: Duration = 10.minutes
private val LONGEST_BUILD: Duration = 60.minutes
