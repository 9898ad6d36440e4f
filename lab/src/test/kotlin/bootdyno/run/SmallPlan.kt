package bootdyno.run

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Ending
import bootdyno.model.Experiment
import bootdyno.model.GeneratorFound
import bootdyno.model.Limits
import bootdyno.model.LoadFound
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.OpenPointFound
import bootdyno.model.Origin
import bootdyno.model.Phase
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Trial
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

/** A cell of [workload] under closed load of four connections. */
internal fun smallCell(
    variant: Variant = Variant("tomcat", "servlet"),
    workload: Workload = Workload("wait", listOf(Step("wait", path = "/wait"))),
) = Cell(
    id = CellId("${variant.name}/${workload.name}"),
    variant = variant,
    subject = Subject("servlet", Origin.Jar("/servlet.jar"), readyPath = "/noop"),
    workload = workload,
    profile = NamedProfile("closed4", LoadProfile.Closed(4), 10.seconds, 30.seconds),
    limits = Limits(1.0, Bytes(Bytes.GIB), CpuBy.PINNING),
)

/** A cell whose requests wait for 500 ms, 5 ms in the warm-up. [holds]: whether and how long the plan says so. */
internal fun waitingCell(holds: Duration?): Cell {
    val steps = listOf(Step("wait", path = "/wait?ms={ms}"))
    return smallCell(workload = Workload("wait", steps, mapOf("ms" to "500"), warmUpParameters = mapOf("ms" to "5"), holds))
}

/** Two variants of one workload: the smallest plan in which an order matters. */
internal fun twoCellPlan(protocol: (Repetition) -> Repetition = { it }): Plan {
    val cells = listOf("a", "b").map { smallCell(Variant(it, "servlet")) }
    val asUsual = Repetition(Preset.STANDARD, 1, 2, 2, WarmUp.Certified(5.seconds, 30.seconds), 1.hours, false)
    val experiment = Experiment(
        name = "small", title = "Small", question = "Which?", source = null, limits = cells[0].limits,
        subjects = listOf(cells[0].subject), variants = cells.map { it.variant }, workloads = listOf(cells[0].workload),
        profiles = listOf(cells[0].profile), only = emptyList(), baseline = cells[0].id, published = emptyList(),
        claims = emptyList(), gates = emptyList(), repetition = protocol(asUsual),
    )
    return Plan(experiment, cells)
}

/** What the load of a window with so many requests found, all [answered]. */
internal fun loadFound(answered: Long, seconds: Double = 10.0, due: Long? = null) =
    LoadFound("fake", seconds, answered, emptyMap(), 0, due, GeneratorFound(0.1, 1.0, due?.let { 0.01 }), 0, 0, 0.0)

/** The record of [trial], which was measured. */
internal fun measuredRecord(trial: Trial, load: LoadFound, points: List<OpenPointFound> = emptyList()) = TrialRecord(
    trial = trial,
    ending = Ending.Measured,
    startedAt = "2026-11-20T10:15:00Z",
    phases = listOf(Phase(Stage.WINDOW, 1.0, 11.0)),
    load = load,
    openPoints = points,
)

internal val COLD = TrialRules({ WarmUp.Cold }, seed = 1)

/** Runs a trial of [cell]. */
internal fun TrialRunner.run(cell: Cell, way: WayToWarm = WayToWarm.FAVOURED, warmAtLeast: Duration = Duration.ZERO) =
    run(TrialToRun(Trial(1, 1, cell.id), cell, Path.of("unused.log"), way, warmAtLeast))
