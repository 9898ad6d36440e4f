package bootdyno.faults

import kotlin.io.path.listDirectoryEntries

private const val KIND = "Other processes"

internal fun processFaults(): List<Faults> = listOf(
    service("KILL", "is killed"),
    service("STOP", "is stopped (SIGSTOP)"),
    engineInWarmUp("KILL", "is killed"),
    engineInWarmUp("STOP", "is stopped (SIGSTOP)"),
    secondRun(),
)

private fun service(signal: String, words: String) = fault(KIND, "a service $words in the window") { world ->
    val calls = "{ subject: ${SmallExperiment.subject(world, "good.caller")}, env: { SERVICE: \"{called}\" } }"
    val text = SmallExperiment(
        listOf("good.caller"),
        more = "services:\n  called: { subject: ${SmallExperiment.subject(world, "good.called")} }",
    )
        .text(world).replaceFirst(Regex("(?m)^  good.caller: .*$"), "  good.caller: ${Regex.escapeReplacement(calls)}")
    val dyno = world.run(world.file("services.yaml", text))
    await("load\n${dyno.output()}") { happened(world, "good.caller", "asked $MANY") }
    runningProcesses().filter { "${world.diary("good.called")} " in it.words + " " }.forEach {
        ProcessBuilder("kill", "-$signal", "${it.pid}").start().waitFor()
    }
    // A subject that needs nothing of a silent service is measured all the same.
    if (signal == "KILL") dyno.exits(1).says("called") else dyno.exits(0, 1)
    val finished = FinishedTrials.of(world)
    Leftovers(world).assertNone()
    // Where no trial was measured, resume begins again, with a service of its own.
    world.resume()
    if (dyno.exitCode == 0) finished.assertIntact()
    "exit code ${dyno.exitCode}; the trial is recorded"
}

private fun engineInWarmUp(signal: String, words: String) = fault(KIND, "the load engine $words in the warm-up") { world ->
    // Between two drives an engine that has ended is replaced, and nothing is lost: this drive goes on until the signal comes.
    val dyno = world.run(Moment.WARM_UP.experiment(world, warmUp = "5 min"))
    await("load\n${dyno.output()}") { Moment.WARM_UP.isReached(world) }
    engineOf(dyno, signal)
    dyno.exits(1).says("engine")
    val finished = FinishedTrials.of(world)
    if (finished.count != 2) throw AssertionError("${finished.count} trials instead of 2\n${dyno.output()}")
    Leftovers(world).assertNone()
    world.resume(exitCode = 1)
    finished.assertIntact()
    "exit code 1; that trial failed, the next one has an engine of its own"
}

private fun secondRun() = fault(KIND, "two runs at once") { world ->
    val experiment = longExperiment(world)
    val first = world.run(experiment)
    await("load\n${first.output()}") { happened(world, "good", "asked $MANY") }
    val folder = world.runFolder()
    world.run(experiment).exits(2).says("another|running")
    if (world.runs.listDirectoryEntries() != listOf(folder)) throw AssertionError("the refused run left a folder")
    first.signal("INT")
    first.exits(130)
    "the second is refused with exit code 2 and leaves no folder; the first goes on"
}

/** Long enough for another dyno to start meanwhile. */
internal fun longExperiment(world: World) = SmallExperiment(listOf("good"), window = "30 s").writtenIn(world)
