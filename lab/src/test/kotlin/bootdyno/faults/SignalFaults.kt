package bootdyno.faults

import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText

private const val KIND = "Signals to Boot Dyno"

/** A moment of a run, known by what happens to the subject. */
internal enum class Moment(val words: String, private val role: String, val protocol: String = "cold") {
    READY("while it waits for readiness", "slow-start"),
    VERIFY("while it checks the answers", "slow-first-answer"),
    WARM_UP("in the warm-up", "good", "steady"),
    WINDOW("in the window", "good"),
    BETWEEN("between two trials", "good"),
    REPORT("at the report", "good"),
    ;

    /** The seed of [SmallExperiment] lets the first one be measured first. */
    private val roles: List<String> get() = listOf("good.first", if (role == "good") "good.second" else role)

    /** On a machine whose CPUs are taken a signal comes seconds later: [warmUp] is so long that it still comes in the warm-up. */
    fun experiment(world: World, warmUp: String = "10 s") =
        SmallExperiment(roles, protocol, lastWarms = warmUp.takeIf { this == WARM_UP }).writtenIn(world)

    fun isReached(world: World): Boolean = when (this) {
        READY -> happened(world, role, "started")
        VERIFY -> happened(world, role, "asked 1")
        WARM_UP, WINDOW -> happened(world, roles.last(), "asked $MANY")
        BETWEEN -> world.finished().isNotEmpty()
        REPORT -> world.finished().size == 2
    }
}

/** Whether the subject of [role] has written [event] into its diary. */
internal fun happened(world: World, role: String, event: String): Boolean =
    world.diary(role).let { it.exists() && it.readText().lines().any { line -> line.startsWith(event) } }

internal fun signalFaults(): List<Faults> = Moment.entries.flatMap { listOf(stopped("INT", 130, it), stopped("KILL", 137, it)) } +
    listOf(Moment.READY, Moment.WINDOW).flatMap { listOf(stopped("TERM", 143, it), stopped("HUP", 129, it)) } +
    beforeAnything() + ctrlC() + twice() + stoppedAndContinued() + inBuild()

private fun stopped(signal: String, exitCode: Int, moment: Moment) = fault(KIND, "SIG$signal ${moment.words}") { world ->
    val dyno = world.run(moment.experiment(world))
    await("${moment.words}\n${dyno.output()}") { moment.isReached(world) }
    val finished = FinishedTrials.of(world)
    val expected = if (moment == Moment.REPORT) 2 else 1
    check(finished.count == expected) { "${finished.count} finished trials instead of $expected" }
    dyno.signal(signal)
    // A report is written to its end.
    if (moment == Moment.REPORT) dyno.exits(exitCode, 0) else dyno.exits(exitCode)
    if (signal != "KILL" && moment != Moment.REPORT) dyno.says("dyno resume ${world.runFolder()}")
    Leftovers(world).assertNone()
    finished.assertIntact()
    world.resume()
    finished.assertIntact()
    "exit code ${dyno.exitCode}; ${finished.count} finished trials are kept, resume measured the rest"
}

private fun beforeAnything() = fault(KIND, "SIGINT before the first trial") { world ->
    val dyno = world.run(Moment.WINDOW.experiment(world))
    await("a run folder") { world.hasPlan() }
    dyno.signal("INT")
    dyno.exits(130)
    // A run that never held the machine leaves no folder.
    if (world.runs.listDirectoryEntries().isEmpty()) return@fault "exit code 130; no folder is left"
    world.resume()
    "exit code 130; resume measured everything"
}

private fun ctrlC() = fault(KIND, "Ctrl-C, which reaches the subject and the engine, too") { world ->
    val dyno = world.run(Moment.WINDOW.experiment(world))
    await("the window") { Moment.WINDOW.isReached(world) }
    val finished = FinishedTrials.of(world)
    dyno.signal("INT", everybody = true)
    dyno.exits(130).says("resume")
    Leftovers(world).assertNone()
    world.resume()
    finished.assertIntact()
    "exit code 130; the broken trial is no failure, resume measured it"
}

private fun twice() = fault(KIND, "SIGINT twice") { world ->
    val dyno = world.run(Moment.WINDOW.experiment(world))
    await("the window") { Moment.WINDOW.isReached(world) }
    repeat(2) { dyno.signal("INT") }
    dyno.exits(130)
    Leftovers(world).assertNone()
    world.resume()
    "exit code 130; resume measured the rest"
}

private fun inBuild() = fault(KIND, "Ctrl-C in a build of compare") { world ->
    val folder = repository(world)
    val begun = world.root.resolve("begun")
    val words = arrayOf("HEAD~1", "HEAD", "--build", "touch $begun; sleep 300", "--path", "/", "--out", "${world.runs}")
    val dyno = world.start("compare", *words, shell = Shell(folder = folder))
    await("the build\n${dyno.output()}") { begun.exists() }
    dyno.signal("INT", everybody = true)
    dyno.exits(130)
    val worktrees = folder.resolve(".git/worktrees")
    if (worktrees.exists() && worktrees.listDirectoryEntries().isNotEmpty()) throw AssertionError("git still knows the folder")
    "exit code 130; neither the build nor its folder is left"
}

private fun stoppedAndContinued() = fault(KIND, "SIGSTOP in the window, and SIGCONT after it") { world ->
    val dyno = world.run(Moment.WINDOW.experiment(world))
    await("the window") { Moment.WINDOW.isReached(world) }
    dyno.signal("STOP")
    Thread.sleep(STOPPED_MILLIS)
    dyno.signal("CONT")
    dyno.exits(0)
    val finished = FinishedTrials.of(world)
    world.resume()
    finished.assertIntact()
    "the run went on; exit code 0"
}

private const val STOPPED_MILLIS = 2_000L
