package bootdyno.run

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Environment
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Repetition
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

private val LIMITS = Limits(1.0, Bytes(Bytes.GIB), CpuBy.PINNING)
private val PROFILE = NamedProfile("closed4", LoadProfile.Closed(4), 10.seconds, 30.seconds)

/** Two variants of one workload: the smallest plan in which an order matters. */
internal fun twoCellPlan(protocol: (Repetition) -> Repetition): Plan {
    val subject = Subject("servlet", Origin.Jar("/servlet.jar"))
    val variants = listOf(Variant("a", "servlet"), Variant("b", "servlet"))
    val workload = Workload("wait", listOf(Step("wait", path = "/wait")))
    val cells = variants.map { Cell(CellId("${it.name}/wait"), it, subject, workload, PROFILE, LIMITS) }
    val asUsual = Repetition(Preset.STANDARD, 1, 2, 2, WarmUp.Certified(5.seconds, 30.seconds), 1.hours, false)
    val experiment = Experiment(
        name = "small", title = "Small", question = "Which?", source = null, limits = LIMITS, subjects = listOf(subject),
        variants = variants, workloads = listOf(workload), profiles = listOf(PROFILE), only = emptyList(), baseline = cells[0].id,
        published = emptyList(), claims = emptyList(), gates = emptyList(), repetition = protocol(asUsual),
    )
    return Plan(experiment, cells)
}

internal fun testEnvironment() = Environment(
    bootDyno = "test", startedAt = "2026-11-20T10:15:00Z", os = "Linux", kernel = "6", jdk = "25",
    cpuModel = null, cpus = 2, memory = null,
    cgroup = "none", somaxconn = null, openFiles = null, loadAverage = null, governor = null, virtualMachine = null,
)
