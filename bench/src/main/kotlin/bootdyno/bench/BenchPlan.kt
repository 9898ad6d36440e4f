package bootdyno.bench

import bootdyno.model.Cell
import bootdyno.model.Claim
import bootdyno.model.Experiment
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.Repetition

/** The plan of [cells] that differ in their variants, without any file; the first one is the baseline. */
internal fun planOf(
    name: String,
    cells: List<Cell>,
    repetition: Repetition,
    claims: List<Claim> = emptyList(),
    prediction: Prediction? = null,
): Plan {
    val first = cells.first()
    val experiment = Experiment(
        name = name,
        title = name,
        question = "",
        source = null,
        limits = first.limits,
        subjects = listOf(first.subject),
        variants = cells.map { it.variant },
        workloads = listOf(first.workload),
        profiles = listOf(first.profile),
        only = emptyList(),
        baseline = first.id,
        published = emptyList(),
        claims = claims,
        gates = emptyList(),
        repetition = repetition,
    )
    return Plan(experiment, cells, prediction)
}
