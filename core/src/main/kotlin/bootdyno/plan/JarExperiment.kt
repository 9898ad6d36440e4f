package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Subject
import bootdyno.model.count

/** The arguments of `dyno run some-app.jar --path /x --vary key=a,b`. */
data class JarQuestion(
    val subject: Subject,
    /** Path and query of the requests. */
    val path: String,
    /** `setting=value,value`, or `runtime=jar,aot-cache`; several are combined. Empty: a single variant. */
    val vary: List<String> = emptyList(),
    /** Connections of the closed load. */
    val connections: Int = 400,
)

/** The key of `--vary` for forms of the jar. */
private val RUNTIME = VariantKeys.runtime.name

/** Enough for intervals; the preset alone has one. */
private const val FIRST_ROUNDS = 3

/** One `--vary`: a setting and its values. */
private class Varied(val key: String, val values: List<String>)

/** Plans the comparison of an application under different settings, with the same experiment as a file would contain. */
fun experimentOfJar(question: JarQuestion, surroundings: Surroundings, overrides: Overrides): Read<Plan> {
    val problems = Problems()
    val varied = question.vary.mapNotNull { varied(it, problems) }
    val size = varied.fold(1L) { product, one -> minOf(product * one.values.size, Long.MAX_VALUE / MOST_CELLS) }
    val fault = pathFault(question.path)
    if (fault != null) problems.add(Place("--path ${shortened(question.path)}"), "", fault)
    if (size > MOST_CELLS) {
        val message = "makes more than ${count(MOST_CELLS)} variants"
        problems.add(Place("--vary"), "", message, "vary fewer settings, or fewer values")
    }
    if (fault != null || size > MOST_CELLS) return Read.Unsound(problems.all())
    val tree = experiment(question, combinations(varied))
    return readTree(tree, fileName(question.subject.origin), surroundings, overrides, problems)
}

private fun varied(text: String, problems: Problems): Varied? {
    val place = Place("--vary $text")
    val key = text.substringBefore('=', "").trim()
    val values = text.substringAfter('=', "").split(',').map { it.trim() }.filter { it.isNotEmpty() }.distinct()
    val each = "write $key=a,b: each is a variant, the first is the baseline"
    return when {
        key.isEmpty() -> problems.add(place, "", "`$text` names no setting", "write spring.threads.virtual.enabled=false,true")
        values.isEmpty() -> problems.add(place, "", "`$text` gives no values", each)
        else -> Varied(key, values)
    }
}

/** The settings of each variant: every combination of values; the first setting varies slowest. */
private fun combinations(varied: List<Varied>): List<Map<String, String>> =
    varied.fold(listOf(emptyMap())) { made, one -> made.flatMap { settings -> one.values.map { settings + (one.key to it) } } }

/** The shortest unique end of [key] among [keys], in whole words: `enabled`, or `threads.max` beside `pool.max`. */
private fun label(key: String, keys: Set<String>): String {
    val words = key.split('.')
    val ends = words.indices.reversed().map { words.drop(it).joinToString(".") }
    return nameable(ends.firstOrNull { end -> keys.none { it != key && it.endsWith(".$end") } } ?: key)
}

internal fun nameable(text: String) = text.replace(Regex("[^A-Za-z0-9._-]+"), "-").trim('-').ifEmpty { "x" }

private fun experiment(question: JarQuestion, combinations: List<Map<String, String>>): MapNode {
    val app = fileName(question.subject.origin)
    val title = if (question.vary.isEmpty()) app else "$app under other settings"
    val variants = combinations.associate { settings ->
        val words = settings.map { (key, value) -> "${label(key, settings.keys)}=${nameable(value)}" }
        words.joinToString("+").ifEmpty { "as-is" } to mapNode(
            mapOf(
                VariantKeys.subject.name to SubjectKeys.write(question.subject),
                VariantKeys.settings.name to TEXTS_BY_NAME.write(settings - RUNTIME),
                RUNTIME to settings[RUNTIME]?.let(TEXT::write),
            ),
        )
    }
    val get = TEXTS_BY_NAME.write(mapOf(WorkloadKeys.methods.first().name to question.path))
    val closed = TEXTS_BY_NAME.write(mapOf(ProfileKeys.closed.name to "${question.connections}"))
    return mapNode(
        mapOf(
            ExperimentKeys.title.name to TEXT.write(title),
            ExperimentKeys.question.name to TEXT.write("Which setting serves the most requests for ${question.path}?"),
            ExperimentKeys.variants.name to mapNode(variants),
            ExperimentKeys.workloads.name to mapNode(mapOf(workloadName(question.path) to get)),
            ExperimentKeys.profiles.name to mapNode(mapOf("saturate" to closed)),
            ExperimentKeys.preset.name to TEXT.write(Preset.QUICK.word),
            ExperimentKeys.rounds.name to TEXT.write("$FIRST_ROUNDS"),
        ),
    )
}

private fun workloadName(path: String) =
    nameable(path.substringBefore('?').trim('/')).takeIf { path.trim('/').isNotEmpty() } ?: "root"

private fun fileName(origin: Origin): String = when (origin) {
    is Origin.Jar -> nameable(origin.path.replace('\\', '/').substringAfterLast('/').removeSuffix(".jar"))
    is Origin.Command -> nameable(origin.words.firstOrNull().orEmpty().replace('\\', '/').substringAfterLast('/'))
    is Origin.Url -> nameable(origin.base.substringAfter("://"))
}
