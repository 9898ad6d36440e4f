package bootdyno.bench

import bootdyno.cli.DynoCommand
import bootdyno.cli.Home
import bootdyno.launch.mayFavourCompiler
import bootdyno.measure.ExitCode
import bootdyno.measure.InputProblem
import bootdyno.measure.RunParts
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.measure.withRunParts
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.EngineSpec
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Trial
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import bootdyno.run.MachineBusy
import bootdyno.run.MachineClock
import bootdyno.run.TrialRules
import bootdyno.run.TrialRunner
import bootdyno.run.TrialToRun
import bootdyno.system.tryDeleteTree
import com.github.ajalt.clikt.core.ProgramResult
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createTempDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.isRegularFile
import kotlin.time.Duration.Companion.seconds

private const val SUBJECT = "servlet"
private const val SEED = 1L

/** Compares ways to warm up a no-op on one CPU: the time until certified, and whether all ways reach the same throughput. */
internal class BenchWarmUpCommand(private val home: Home) :
    DynoCommand(
        "warmup",
        "Compare times to a certified warm no-op on one CPU: saturating load, load with pauses, compiler with priority",
    ) {
    private val rounds by number("N", "Interleaved rounds", 1..100, usual = 5)
    private val budget by number("S", "Time limit of a warm-up in seconds", 10..3600, usual = 180)

    override fun run() {
        val cell = warmUpCell(home.subjects())
        val mayFavour = mayFavourCompiler()
        if (!mayFavour) echo("Favouring the compiler needs root or CAP_SYS_NICE: left out.")
        val logs = createTempDirectory("dyno-bench")
        val found = mutableListOf<TurnFound>()
        asInput {
            try {
                interruptible({ say("Interrupted.") }) {
                    withRunParts(cell.limits, plan = null, { logs }, ::say) { parts ->
                        parts.engine(EngineSpec())
                        try {
                            takeTurns(parts, cell, mayFavour, logs, found)
                        } finally {
                            keepLogsOfFailures(found, logs)
                        }
                    }
                }
            } catch (busy: MachineBusy) {
                logs.deleteExisting()
                throw busy
            }
        }
        warmUpTable(found, budget).forEach { echo(it) }
        if (found.any { it is TurnFound.Failed }) throw ProgramResult(ExitCode.TRIAL_FAILED)
    }

    private fun takeTurns(parts: RunParts, cell: Cell, mayFavour: Boolean, logs: Path, found: MutableList<TurnFound>) {
        val warmUp = WarmUp.Certified(lawLike = budget.seconds, budget = budget.seconds)
        val runner = TrialRunner(parts, MachineClock, TrialRules({ warmUp }, SEED)) {}
        for (turn in (1..rounds).flatMap { turnsOfRound(it, mayFavour) }) {
            if (Thread.interrupted()) throw InterruptedException()
            val trial = Trial(found.size + 1, turn.round, cell.id, turn.again)
            val outcome = runner.run(TrialToRun(trial, cell, logs.resolve("${trial.number}.log"), turn.way))
            // Ctrl-C also ends the subject. This is not a failure of the turn.
            if (Thread.interrupted()) throw InterruptedException()
            found += turnFound(turn, outcome.facts())
            echo(turnLine(found.last(), rounds, budget))
        }
    }

    /** Keeps the logs if a turn failed. */
    private fun keepLogsOfFailures(found: List<TurnFound>, logs: Path) {
        if (found.any { it is TurnFound.Failed }) say("The subjects' logs are in $logs.") else tryDeleteTree(logs)
    }
}

/** The no-op of the built-in servlet subject on one CPU: the case that depends most on warm-up. */
internal fun warmUpCell(subjects: List<Subject>): Cell {
    val subject = subjects.find { it.name == SUBJECT } ?: throw InputProblem("there is no built-in subject $SUBJECT here")
    val jar = (subject.origin as? Origin.Jar)?.path
    if (jar != null && !Path(jar).isRegularFile()) throw InputProblem("$jar is missing: ./build makes it")
    return Cell(
        id = CellId("$SUBJECT/noop"),
        variant = Variant(SUBJECT, SUBJECT),
        subject = subject,
        workload = Workload("noop", listOf(Step("noop", path = "/noop", expect = Expectation(200, "noop", "text/plain")))),
        profile = NamedProfile("closed400", LoadProfile.Closed(400), window = 10.seconds, timeout = 30.seconds),
        limits = Limits(cpus = 1.0, memory = Bytes(Bytes.GIB), cpuBy = CpuBy.PINNING),
    )
}
