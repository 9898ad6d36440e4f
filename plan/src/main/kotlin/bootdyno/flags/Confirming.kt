package bootdyno.flags

import bootdyno.keys.nameable
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.model.Variant
import bootdyno.model.cpusText
import bootdyno.model.size
import bootdyno.plan.Machine
import kotlin.time.Duration.Companion.hours

/** Short forms of other flags (documentation of `java`). */
private val SIZES = mapOf("-Xmx" to "MaxHeapSize", "-Xms" to "InitialHeapSize", "-Xmn" to "NewSize", "-Xss" to "ThreadStackSize")

/** For all rounds of any cell: the budget of the run that found the change was for its own. */
private val LEAST_BUDGET = 4.hours

/** The end of the names of experiments that measure a predicted change. */
const val CONFIRMS = "-confirm"

/**
 * The experiment that measures [cell] of [plan] with the change of [prediction] against the original, in the same rounds. Everything else
 * is as it was. After the first of [rounds], the others are measured only while they are needed. The change must be possible, see [obstacle].
 */
fun confirming(plan: Plan, cell: Cell, prediction: Prediction, rounds: IntRange): Plan {
    val change = prediction.change
    val profile = cell.profile.run { point?.named ?: declared }.let { cell.profile.copy(name = it, declared = it, point = null) }
    val workload = cell.workload.copy(on = emptyList(), point = null)
    val variants = listOf(cell.variant, changed(cell, change)).distinct()
    val profiles = listOf(profile, changed(profile, change)).distinct()
    fun id(variant: Variant, profile: NamedProfile) =
        CellId("${variant.name}/${workload.name}" + if (profiles.size > 1) "@${profile.name}" else "")
    val original = id(variants.first(), profiles.first())
    val experiment = plan.experiment.copy(
        name = plan.experiment.name.removeSuffix(CONFIRMS) + CONFIRMS,
        title = "${cell.id} with ${change.text}",
        question = "Does the change do what was predicted?",
        source = null,
        subjects = listOf(cell.subject),
        variants = variants,
        workloads = listOf(workload),
        profiles = profiles,
        only = emptyList(),
        baseline = original,
        published = emptyList(),
        claims = emptyList(),
        gates = emptyList(),
        repetition = plan.experiment.repetition.run {
            copy(rounds = rounds.first, maxRounds = rounds.last, again = false, budget = maxOf(budget, LEAST_BUDGET))
        },
        latencyAt = emptyMap(),
        capacity = null,
        services = plan.services(cell),
        targetRate = null,
        titles = plan.experiment.titles[cell.id.text]?.let { mapOf(original.text to it) }.orEmpty(),
    )
    val cells = listOf(
        experiment.cell(original, variants.first().name, workload.name, profiles.first().name),
        experiment.cell(id(variants.last(), profiles.last()), variants.last().name, workload.name, profiles.last().name),
    )
    return Plan(experiment, cells, prediction)
}

/** Why [change] of [cell] cannot be made here: a sentence; null if it can. */
fun obstacle(cell: Cell, change: Change, machine: Machine): String? {
    val origin = cell.subject.origin
    val memory = machine.memory
    return when {
        change is Change.Connections ->
            "The script ${cell.profile.engine.scriptName} sets the number of connections."
                .takeIf { cell.profile.engine.bringsLoad }

        origin is Origin.Url -> "The server at ${origin.base} was not started by Boot Dyno."

        change is Change.JvmFlag && origin is Origin.Command -> "JVM flags are not passed on to a command."

        change is Change.Cpus && !change.fit(machine.cpus) ->
            "${cpusText(change.cpus)} and one for the load generator are more than the ${machine.cpus} of this machine."

        change is Change.Memory && memory != null && change.memory > memory ->
            "${size(change.memory)} of memory are more than this machine has."

        else -> null
    }
}

private fun changed(cell: Cell, change: Change): Variant {
    val variant = cell.variant
    val changed = when (change) {
        is Change.Setting -> variant.withSetting(change.key, change.value)
        is Change.JvmFlag -> variant.with(JvmFlag(change.flag))
        is Change.EnvironmentVariable -> variant.copy(environment = variant.environment + (change.name to change.value))
        is Change.Cpus -> variant.copy(limits = cell.limits.copy(cpus = change.cpus))
        is Change.Memory -> variant.copy(limits = cell.limits.copy(memory = change.memory))
        is Change.Connections -> return variant
    }
    val (what, value) = label(change)
    return changed.copy(name = "${variant.name.replace(Regex("[+]${Regex.escape(what)}=[^+]*"), "")}+$what=$value")
}

private fun changed(profile: NamedProfile, change: Change): NamedProfile {
    if (change !is Change.Connections) return profile
    val before = (profile.load as? LoadProfile.Closed)?.connections
    val name = "${profile.name.removeSuffix("-$before")}-${change.connections}"
    return profile.copy(name = name, declared = name, load = LoadProfile.Closed(change.connections))
}

/** `threads.max` and `400`, for the name of the variant. */
private fun label(change: Change): List<String> = when (change) {
    is Change.Setting -> listOf(change.key.split('.').takeLast(2).joinToString("."), change.value)
    is Change.JvmFlag -> JvmFlag(change.flag).run { listOf(name.split('.').takeLast(2).joinToString("."), value) }
    is Change.EnvironmentVariable -> listOf(change.name, change.value)
    is Change.Cpus -> listOf("cpus", cpusText(change.cpus).substringBefore(' '))
    is Change.Memory -> listOf("memory", size(change.memory))
    is Change.Connections -> listOf("connections", "${change.connections}")
}.map(::nameable)

/** Spring accepts a key in several spellings: `maximum-pool-size`, `maximumPoolSize`. */
private fun Variant.withSetting(key: String, value: String): Variant {
    fun plain(key: String) = key.lowercase().filter { it.isLetterOrDigit() || it == '.' }
    return copy(settings = settings.filterKeys { plain(it) != plain(key) } + (key to value))
}

/** Settings are passed on after the flags, as properties: a property among them is set there. */
private fun Variant.with(flag: JvmFlag): Variant = if (flag.isProperty && flag.name in settings) {
    copy(settings = settings + (flag.name to flag.value))
} else {
    copy(jvm = jvm.filter { JvmFlag(it).sets != flag.sets } + flag.text)
}

/** A flag of the JVM, with what it sets. Flags of an unknown form may be repeated, so they set only themselves. */
private class JvmFlag(val text: String) {
    val isProperty = text.startsWith("-D")
    private val size = SIZES.keys.find { text.startsWith(it) }
    private val isSwitch = text.startsWith("-XX:+") || text.startsWith("-XX:-")
    val name = when {
        isProperty -> text.removePrefix("-D").substringBefore('=')
        size != null -> SIZES.getValue(size)
        isSwitch -> text.drop("-XX:+".length)
        else -> text.removePrefix("-XX:").substringBefore('=')
    }
    val value = when {
        size != null -> text.removePrefix(size)
        isSwitch -> if (text.startsWith("-XX:+")) "on" else "off"
        else -> text.substringAfter('=', "")
    }
    val sets = if (isProperty || size != null || text.startsWith("-XX:")) "$isProperty $name" else text
}
