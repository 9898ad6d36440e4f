package bootdyno.faults

import java.nio.file.Files
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readText

private const val KIND = "Environment"

internal fun environmentFaults(): List<Faults> = listOf(
    hostileShell(),
    works(
        "the locale is Turkish",
        Shell(jvm = listOf("-Duser.language=tr", "-Duser.country=TR"), environment = mapOf("LC_ALL" to "tr_TR.UTF-8")),
    ),
    works("the locale is C and the terminal dumb", Shell(environment = mapOf("LC_ALL" to "C", "TERM" to "dumb"))),
    unwritablePath(),
    works("its standard output is closed", inShell("exec \"\$@\" >&-")),
    works("its standard output is a full disk", inShell("exec \"\$@\" >/dev/full"), 0, 1),
    works("its standard input is closed", inShell("exec \"\$@\" <&-")),
    works("it may open 128 files only", inShell("ulimit -n 128; exec \"\$@\""), 0, 1, 2),
    works("no file may grow beyond 1 kB", inShell("ulimit -f 1; exec \"\$@\""), 0, 1, 2, 153),
    works("the state folder cannot be written", Shell(environment = mapOf("XDG_STATE_HOME" to "/dev/null/state")), 0, 2),
    works(
        "the temporary folder cannot be written",
        Shell(jvm = listOf("-Dfaults=1"), environment = mapOf("TMPDIR" to "/dev/null/tmp")),
        0,
        2,
    ),
    noTaskset(),
    lockIsALink(dangling = false),
    lockIsALink(dangling = true),
    nobody(),
    twoUsers(),
)

private fun inShell(script: String) = Shell(wrapper = listOf("sh", "-c", script, "sh"))

/** Whatever the surroundings: it ends with one of [codes], and says nothing that only a programmer understands. */
private fun works(name: String, shell: Shell, vararg codes: Int = intArrayOf(0)) = fault(KIND, name) { world ->
    val dyno = world.run(SmallExperiment(listOf("good")).writtenIn(world), shell = shell)
    dyno.exits(*codes)
    Leftovers(world).assertNone()
    if (dyno.exitCode == 0) {
        world.assertComplete()
    } else if (world.hasPlan()) {
        world.resume()
    }
    "exit code ${dyno.exitCode}"
}

private fun unwritablePath() = fault(KIND, "the locale is C and a folder is named Größe") { world ->
    val experiment = SmallExperiment(listOf("good")).writtenIn(world)
    // The shell of this test may not be able to write it either.
    val folder = "d=$(printf 'Gr\\303\\266\\303\\237e'); mkdir \"\$d\"; mv $experiment \"\$d\""
    val wrapper = listOf("sh", "-c", "$folder; exec \"\$@\" \"\$d/faults.yaml\"", "sh")
    val dyno = world.start("run", shell = Shell(mapOf("LC_ALL" to "C"), wrapper = wrapper))
    dyno.exits(2).says("locale")
    "exit code 2, with a locale to set"
}

private fun hostileShell() = fault(KIND, "the shell has SERVER_TOMCAT_THREADS_MAX and JAVA_TOOL_OPTIONS") { world ->
    val hostile = mapOf(
        "SERVER_TOMCAT_THREADS_MAX" to "5",
        "SPRING_PROFILES_ACTIVE" to "other",
        "JAVA_TOOL_OPTIONS" to "-Dhostile=1",
        "LOGGING_LEVEL_ROOT" to "trace",
    )
    val dyno = world.run(SmallExperiment(listOf("good")).writtenIn(world), shell = Shell(environment = hostile))
    dyno.exits(0)
    val seen = world.diary("good").readText().lines().single { it.startsWith("environment ") }.split(' ').toSet()
    val leaked = hostile.keys.filter { it in seen }
    if (leaked.isNotEmpty()) throw AssertionError("the subject got $leaked of the shell")
    dyno.says("SERVER_TOMCAT_THREADS_MAX").says("JAVA_TOOL_OPTIONS")
    "a warning names them; the subject gets none of them"
}

private fun noTaskset() = fault(KIND, "there is no taskset on the path") { world ->
    val bin = Files.createDirectories(world.root.resolve("bin"))
    System.getenv("PATH").split(':').map { Path.of(it) }.filter { it.exists() }.forEach { folder ->
        Files.list(folder).use { all ->
            all.filter { it.name != "taskset" && !bin.resolve(it.name).exists(NOFOLLOW_LINKS) }
                .forEach { Files.createSymbolicLink(bin.resolve(it.name), it) }
        }
    }
    val dyno = world.run(SmallExperiment(listOf("good")).writtenIn(world), shell = Shell(environment = mapOf("PATH" to "$bin")))
    dyno.exits(0)
    "exit code 0"
}

/** The machine-wide lock is where everybody may write. */
private fun lockIsALink(dangling: Boolean) =
    fault(KIND, "a ${if (dangling) "dangling " else ""}symbolic link where the lock file goes") { world ->
        val experiment = SmallExperiment(listOf("good")).writtenIn(world)
        world.run(experiment).exits(0)
        val locks = Files.walk(world.root).use { all -> all.filter { Files.isRegularFile(it) && "lock" in it.name }.toList() }
        if (locks.isEmpty()) onlyIf(false, "no lock file lies in a folder of this world")
        val target = world.root.resolve("target")
        if (!dangling) Files.writeString(target, "precious")
        locks.forEach {
            Files.delete(it)
            Files.createSymbolicLink(it, target)
        }
        val dyno = world.run(experiment)
        dyno.exits(0, 2)
        if (dangling && target.exists()) throw AssertionError("the link's target was made")
        if (!dangling && target.readText() != "precious") throw AssertionError("the link's target was written to")
        "exit code ${dyno.exitCode}; what the link points at is untouched"
    }

private val AS_NOBODY = listOf("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")

private fun nobody() = fault(KIND, "a run by a user without rights") { world ->
    onlyIf(isRoot, "only root can become another user")
    val experiment = SmallExperiment(listOf("good")).writtenIn(world)
    give(world)
    val dyno = world.run(experiment, shell = Shell(wrapper = AS_NOBODY))
    dyno.exits(0)
    "exit code 0"
}

private fun twoUsers() = fault(KIND, "two users at once") { world ->
    onlyIf(isRoot, "only root can become another user")
    val experiment = longExperiment(world)
    val first = world.run(experiment)
    await("load\n${first.output()}") { happened(world, "good", "asked $MANY") }
    give(world)
    world.run(experiment, shell = Shell(wrapper = AS_NOBODY)).exits(2).says("another|running|measur")
    first.signal("INT")
    first.exits(130)
    "the second is refused with exit code 2; the first goes on"
}

/** Lets another user write in this world. */
private fun give(world: World) {
    ProcessBuilder("chmod", "-R", "a+rwX", "${world.root}").start().waitFor()
}
