package bootdyno.store

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlin.io.path.Path

/** What [other] measures otherwise than [first], as sentences that begin with its folder. */
internal fun differences(first: RoundsOfFolder, other: RoundsOfFolder): List<String> {
    val inputs = first.folder.inputs()
    val otherInputs = other.folder.inputs()
    if (inputs == null || otherInputs == null) {
        val old = if (inputs == null) first else other
        return listOf("${old.path} is of an older Boot Dyno, which did not note the plan and its files")
    }
    val environments = other.environments.flatMap { environment ->
        val reference = first.environments.first()
        listOfNotNull(
            difference("Boot Dyno", reference.bootDyno, environment.bootDyno),
            difference("the JDK", reference.jdk, environment.jdk),
        )
    }
    val plan = differences(planWithout(first, inputs), planWithout(other, otherInputs), "")
    val builds = differences(buildsBeside(inputs, first), buildsBeside(inputs, other))
    return (environments.distinct() + differences(inputs, otherInputs) + builds + plan)
        .map { "${other.path}: $it (compared with ${first.path})" }
}

private fun difference(what: String, first: String, other: String) = "$what is $other, not $first".takeIf { first != other }

/** Files of the same purpose have the same content; their paths may differ between machines. */
private fun differences(first: Inputs, other: Inputs): List<String> = (first.named.keys + other.named.keys).mapNotNull { name ->
    val one = first.named[name]
    val two = other.named[name]
    "the file of $name has another content: ${two?.path ?: "none"}, not ${one?.path ?: "none"}"
        .takeIf { one?.sha256 != two?.sha256 }
}

/** By subject, the hashes of what ran, if it is no file of [inputs]: an image. */
private fun buildsBeside(inputs: Inputs, source: RoundsOfFolder): Map<String, Set<String>> {
    val subjects = source.facts.plan.cells.associate { it.id to "subject ${it.subject.name}" }
    return source.facts.trials.map { it.record }.groupBy({ subjects.getValue(it.trial.cell) }, { it.subject?.sha256 })
        .filterKeys { it !in inputs.named }.mapValues { (_, hashes) -> hashes.filterNotNull().toSet() }
}

private fun differences(first: Map<String, Set<String>>, other: Map<String, Set<String>>): List<String> =
    other.filter { (subject, hashes) -> hashes.isNotEmpty() && first[subject].orEmpty().isNotEmpty() && hashes != first[subject] }
        .map { (subject, hashes) -> "$subject ran as ${hashes.joinToString()}, not ${first.getValue(subject).joinToString()}" }

/** By purpose; a number follows if there are several. Without the files of the run folder itself. */
private val Inputs.named: Map<String, InputFile>
    get() = files.filter { Path(it.path).isAbsolute }.groupBy { it.what }.flatMap { (what, files) ->
        files.mapIndexed { index, it -> (if (index == 0) what else "$what, ${index + 1}") to it }
    }.toMap()

/** The plan with purposes instead of the paths of [inputs]. */
private fun planWithout(source: RoundsOfFolder, inputs: Inputs): JsonElement {
    val names = inputs.named.entries.associate { (name, file) -> file.path to name }
    fun named(tree: JsonElement): JsonElement = when (tree) {
        is JsonObject -> JsonObject(tree.mapValues { (_, value) -> named(value) })
        is JsonArray -> JsonArray(tree.map(::named))
        is JsonPrimitive -> names[tree.content]?.takeIf { tree.isString }?.let { JsonPrimitive(it) } ?: tree
    }
    return named(JsonFile.tree(PlanFile, source.folder.plan()))
}

private fun differences(first: JsonElement, other: JsonElement, path: String): List<String> = when {
    first == other -> emptyList()

    first is JsonObject && other is JsonObject -> (first.keys + other.keys).flatMap { key ->
        differences(first[key] ?: JsonNull, other[key] ?: JsonNull, if (path.isEmpty()) key else "$path.$key")
    }

    first is JsonArray && other is JsonArray && first.size == other.size ->
        first.indices.flatMap { differences(first[it], other[it], "$path[$it]") }

    else -> listOf("$path of the plan is ${shown(other)}, not ${shown(first)}")
}

private const val LONGEST = 80

private fun shown(value: JsonElement): String = "$value".let { if (it.length > LONGEST) it.take(LONGEST) + "…" else it }
