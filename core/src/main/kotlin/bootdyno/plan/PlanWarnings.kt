package bootdyno.plan

import bootdyno.model.Cell
import bootdyno.model.Experiment
import bootdyno.model.RunPlace
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.model.isMentionedBy
import bootdyno.model.placeholders

/** What is allowed but probably not meant. */
internal fun warningsAbout(cells: List<Cell>, place: RunPlace): List<String> =
    cells.map { it.workload }.distinctBy { it.declared }.flatMap(::unused) +
        cells.flatMap(::unknownEndpoints).distinct() +
        if (place is RunPlace.Docker) cells.map { it.variant }.distinct().mapNotNull(::decidedAtBuild) else emptyList()

/** One that only `only` left without a cell is no mistake, so all variants are looked at. */
internal fun unusedServices(experiment: Experiment): List<String> = experiment.services.filterNot { service ->
    experiment.variants.any { variant ->
        service.isMentionedBy(variant, experiment.subjects.first { it.name == variant.subject })
    }
}.map { "Nothing calls the service ${it.name}: write {${it.placeholders.first()}} into a setting of the variants that do." }

/** In an image the jar is as it was built: a setting still reaches the beans there are, but no longer decides which there are. */
private fun decidedAtBuild(variant: Variant): String? {
    if (!variant.runtime.springAot || variant.settings.isEmpty()) return null
    return "Variant ${variant.name}: Spring AOT decided on its beans when the jar was built; where " +
        "${variant.settings.keys.joinToString()} would decide which beans there are, it comes too late for an image."
}

/** Parameters, and a file of data, that none of its texts name. */
private fun unused(workload: Workload): List<String> {
    val used = workload.steps.flatMap { it.texts }.flatMap(::placeholders).toSet()
    val parameters = (workload.parameters.keys - used)
        .map { "Workload ${workload.declared}: nothing in its path, headers or body uses the parameter $it." }
    val data = workload.data?.takeIf { file -> file.columns.none { it in used } } ?: return parameters
    val columns = data.columns.joinToString()
    return parameters + "Workload ${workload.declared}: no step uses a column of ${data.path}, which has $columns."
}

/** A subject that lists its styles and not this path will very probably answer 404. */
private fun unknownEndpoints(cell: Cell): List<String> {
    if (cell.subject.styles.isEmpty()) return emptyList()
    val known = cell.subject.styles.map { it.path } + listOfNotNull(cell.subject.readyPath)
    return cell.workload.steps.map { it.path.substringBefore('?') }.distinct().filter { it !in known }
        .map { "${cell.id}: the subject ${cell.subject.name} lists no endpoint $it." }
}
