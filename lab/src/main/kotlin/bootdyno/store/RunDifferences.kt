package bootdyno.store

import bootdyno.model.numbered
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlin.io.path.Path

/** What [other] measures otherwise than [first], as sentences that begin with its folder. */
internal fun differences(first: RoundsOfFolder, other: RoundsOfFolder): List<String> {
    val inputs = first.folder.inputs()
    val otherInputs = other.folder.inputs()
    if (inputs == null || otherInputs == null) {
        val old = if (inputs == null) first else other
        return listOf("${old.path} is of an older Boot Dyno, which did not note the plan and its files")
    }
    val differences = differingVersions(first, other) + differingFiles(inputs, otherInputs) +
        differingBuilds(buildsBeside(inputs, first), buildsBeside(inputs, other)) +
        differingValues(planWithout(inputs, first), planWithout(otherInputs, other), "")
    return differences.map { "${other.path}: $it (compared with ${first.path})" }
}

private fun differingVersions(first: RoundsOfFolder, other: RoundsOfFolder): List<String> {
    val reference = first.environments.first()
    return other.environments.flatMap {
        listOfNotNull(
            "Boot Dyno is ${it.bootDyno}, not ${reference.bootDyno}".takeIf { _ -> it.bootDyno != reference.bootDyno },
            "the JDK is ${it.jdk}, not ${reference.jdk}".takeIf { _ -> it.jdk != reference.jdk },
        )
    }.distinct()
}

/** Files of the same purpose must have the same content; their paths may differ between machines. */
private fun differingFiles(first: Inputs, other: Inputs): List<String> =
    (first.byPurpose.keys + other.byPurpose.keys).mapNotNull { purpose ->
        val one = first.byPurpose[purpose]
        val two = other.byPurpose[purpose]
        "the file of $purpose has another content: ${two?.path ?: "none"}, not ${one?.path ?: "none"}"
            .takeIf { one?.sha256 != two?.sha256 }
    }

/** `subject servlet`; a number follows if there are several. Without the files of the run folder itself. */
private val Inputs.byPurpose: Map<String, InputFile>
    get() = files.filter { Path(it.path).isAbsolute }.groupBy { it.what }.flatMap { (what, files) ->
        numbered(what, sign = ", ").asIterable().zip(files)
    }.toMap()

/** By subject, the hashes of what ran, if it is no file of [inputs]: an image. */
private fun buildsBeside(inputs: Inputs, source: RoundsOfFolder): Map<String, Set<String>> {
    val subjects = source.facts.plan.cells.associate { it.id to "subject ${it.subject.name}" }
    return source.facts.trials.map { it.record }.groupBy({ subjects.getValue(it.trial.cell) }, { it.subject?.sha256 })
        .filterKeys { it !in inputs.byPurpose }.mapValues { (_, hashes) -> hashes.filterNotNull().toSet() }
        .filterValues { it.isNotEmpty() }
}

private fun differingBuilds(first: Map<String, Set<String>>, other: Map<String, Set<String>>): List<String> =
    other.mapNotNull { (subject, hashes) ->
        val reference = first[subject]?.takeIf { it != hashes }
        reference?.let { "$subject ran as ${hashes.joinToString()}, not ${it.joinToString()}" }
    }

/** The plan of [source], with purposes instead of the paths of [inputs]. */
private fun planWithout(inputs: Inputs, source: RoundsOfFolder): JsonElement {
    val purposes = inputs.byPurpose.entries.associate { (purpose, file) -> file.path to purpose }
    return withTexts(JsonFile.tree(PlanFile, source.folder.plan()), purposes)
}

/** [path]: of both values in the plan. */
private fun differingValues(first: JsonElement, other: JsonElement, path: String): List<String> = when {
    first == other -> emptyList()

    first is JsonObject && other is JsonObject -> (first.keys + other.keys).flatMap { key ->
        differingValues(first[key] ?: JsonNull, other[key] ?: JsonNull, if (path.isEmpty()) key else "$path.$key")
    }

    first is JsonArray && other is JsonArray && first.size == other.size ->
        first.indices.flatMap { differingValues(first[it], other[it], "$path[$it]") }

    else -> listOf("$path of the plan is ${shown(other)}, not ${shown(first)}")
}

private const val LONGEST = 80

private fun shown(value: JsonElement): String = "$value".let { if (it.length > LONGEST) it.take(LONGEST) + "…" else it }
