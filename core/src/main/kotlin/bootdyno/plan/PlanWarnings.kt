package bootdyno.plan

import bootdyno.model.Cell
import bootdyno.model.Experiment
import bootdyno.model.Workload
import bootdyno.model.isMentionedBy

/** What is allowed but probably not meant. */
internal fun warningsAbout(cells: List<Cell>): List<String> =
    cells.map { it.workload }.distinctBy { it.declared }.flatMap(::unusedParameters) +
        cells.mapNotNull(::unknownEndpoint).distinct()

/** One that only `only` left without a cell is no mistake, so all variants are looked at. */
internal fun unusedServices(experiment: Experiment): List<String> = experiment.services.filterNot { service ->
    experiment.variants.any { variant ->
        service.isMentionedBy(variant, experiment.subjects.first { it.name == variant.subject })
    }
}.map { "Nothing calls the service ${it.name}: write {${it.placeholders.first()}} into a setting of the variants that do." }

private fun unusedParameters(workload: Workload): List<String> {
    val texts = listOfNotNull(workload.path, workload.body, workload.expect.body) + workload.headers.values
    return workload.parameters.keys.filter { name -> texts.none { "{$name}" in it } }
        .map { "Workload ${workload.declared}: nothing in its path, headers or body uses the parameter $it." }
}

/** A subject that lists its styles and not this path will very probably answer 404. */
private fun unknownEndpoint(cell: Cell): String? {
    val known = cell.subject.styles.isEmpty() || cell.style != null
    val path = cell.workload.path.substringBefore('?')
    return if (known ||
        path == cell.subject.readyPath
    ) {
        null
    } else {
        "${cell.id}: the subject ${cell.subject.name} lists no endpoint $path."
    }
}
