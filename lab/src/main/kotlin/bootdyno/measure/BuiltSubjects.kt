package bootdyno.measure

import bootdyno.launch.prepare.Commit
import bootdyno.launch.prepare.CommitBuilds
import bootdyno.launch.prepare.UnusableJar
import bootdyno.launch.prepare.commitIn
import bootdyno.launch.prepare.inspectJar
import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.system.deleteTree
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists

/** Jars of commits, beside the run folders: an interrupted comparison goes on with them. */
private const val BUILDS = ".builds"

/** The older and the newer build of a comparison. */
internal class BuiltSubjects(val base: Subject, val head: Subject)

/** The builds [base] and [head]: jars, images, or commits that the shell command [build] builds. @throws InputProblem */
internal fun builtSubjects(base: String, head: String, build: String?, out: Path, say: (String) -> Unit): BuiltSubjects {
    val both = listOf(base, head)
    val jars = both.filter(::isNamedAsJar)
    return when {
        build != null && jars.isNotEmpty() -> throw InputProblem("--build is for two commits, and ${jars.first()} is a jar.")

        build != null -> ofCommits(both.map(::commit), build, out, say)

        jars == both -> BuiltSubjects(jarSubject(base), jarSubject(head))

        jars.isNotEmpty() -> throw InputProblem(
            "$base and $head are of different kinds.\nGive two jars, two images, two commits or two run folders.",
        )

        else -> both.map(::image).let { (older, newer) -> BuiltSubjects(older, newer) }
    }
}

/** @throws InputProblem */
internal fun jarSubject(jar: String): Subject = try {
    inspectJar(Path(jar))
} catch (unusable: UnusableJar) {
    throw InputProblem("${unusable.message}\n${unusable.hint}")
}

/** A registry, a tag or a digest. */
private const val IMAGE_SIGNS = "/:@"

private fun image(name: String): Subject {
    if (Path(name).exists()) {
        throw InputProblem("$name is neither a jar nor a run folder.\nGive two jars, images, commits or run folders.")
    }
    if (':' !in name && commitIn(Path("").toAbsolutePath(), name) != null) {
        throw InputProblem("$name is a commit.\nSay how to build it: --build 'mvn -q package'. An image has a tag: $name:latest")
    }
    if (IMAGE_SIGNS.none { it in name }) {
        throw InputProblem(
            "There is no jar, run folder or commit `$name` here.\n" +
                "Check the path. For commits, run compare in their repository with --build. An image has a tag: $name:latest",
        )
    }
    return Subject("image", Origin.Image(name))
}

private fun commit(name: String): Commit = commitIn(Path("").toAbsolutePath(), name) ?: throw InputProblem(
    "$name is no commit of the git repository in this folder.\nCheck its name (git log), and run compare in the repository.",
)

/** One after the other, with the machine's lock: a build would disturb a measurement. */
private fun ofCommits(commits: List<Commit>, build: String, out: Path, say: (String) -> Unit): BuiltSubjects {
    val folder = madeTemporaryFolder("builds")
    val log = folder.resolve("build.log")
    val (older, newer) = asInput {
        interruptible {
            try {
                HeldMachine.take(say).use { machine ->
                    val builds = CommitBuilds(Path("").toAbsolutePath(), machine.ledger, log)
                    commits.map { commit ->
                        say("Building ${commit.short}: $build")
                        jarSubject("${builds.jarOf(commit, build, out.resolve(BUILDS).resolve(commit.short))}")
                    }
                }
            } finally {
                // The process ends when this does: Ctrl-C also ends the build, which fails.
                deleteTree(folder)
            }
        }
    }
    return BuiltSubjects(older, newer)
}
