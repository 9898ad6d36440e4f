package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.Origin
import bootdyno.model.Subject

/** What `dyno run some-app.jar --path /x --vary key=a,b` asks. */
data class JarQuestion(
    val subject: Subject,
    /** Path and query to load. */
    val path: String,
    /** `setting=value,value`, or `runtime=jar,aot-cache`; several multiply. Empty: the application as it is, alone. */
    val vary: List<String> = emptyList(),
    /** Connections of the closed load. */
    val connections: Int = 400,
)

/** What `--vary` takes beside settings: what the jar is run as. */
private val RUNTIME = VariantKeys.runtime.name

/** One setting and the values it takes, as `--vary` gives them. */
private data class Varied(val key: String, val values: List<String>, val place: Place)

/** The settings of one variant, and what distinguishes it. */
private data class Combination(val settings: Map<String, String>, val name: String)

/** Plans the comparison of an application with itself under other settings: the same experiment as a file would hold. */
fun experimentOfJar(
    question: JarQuestion,
    overrides: Overrides,
    engines: List<EngineKind> = listOf(EngineKind.OWN),
    machine: Machine? = null,
): Planned {
    val problems = Problems()
    val varied = question.vary.mapNotNull { varied(it, problems) }
    pathFault(question.path)?.let {
        problems.add(Place("--path ${shortened(question.path)}"), "", it)
        return Planned.Unsound(problems.all())
    }
    val size = varied.fold(1L) { product, one -> minOf(product * one.values.size, Long.MAX_VALUE / MOST_CELLS) }
    if (size > MOST_CELLS) {
        problems.add(
            Place("--vary"),
            "",
            "makes more than ${whole(MOST_CELLS.toLong())} variants",
            "vary fewer settings, or fewer values",
        )
        return Planned.Unsound(problems.all())
    }
    val tree = experiment(question, combinations(varied))
    return readTree(tree, fileName(question.subject.origin), emptyList(), {
        null
    }, overrides, engines, { null }, problems, machine)
}

private fun varied(text: String, problems: Problems): Varied? {
    val place = Place("--vary $text")
    val key = text.substringBefore('=', "").trim()
    val values = text.substringAfter('=', "").split(',').map { it.trim() }.filter { it.isNotEmpty() }.distinct()
    return when {
        key.isEmpty() -> problems.add(place, "", "`$text` names no setting", "write spring.threads.virtual.enabled=false,true")

        values.isEmpty() -> problems.add(
            place,
            "",
            "`$text` gives no values",
            "write $key=a,b: each is a variant, the first is the baseline",
        )

        else -> Varied(key, values, place)
    }
}

/** Every combination of values, the first of each varying slowest. */
private fun combinations(varied: List<Varied>): List<Combination> {
    val labels = varied.map { one -> label(one.key, varied.map { it.key }) }
    return varied.zip(labels).fold(listOf(Combination(emptyMap(), ""))) { combinations, (one, label) ->
        combinations.flatMap { made ->
            one.values.map { value ->
                Combination(
                    made.settings + (one.key to value),
                    listOf(made.name, "$label=${nameable(value)}").filter {
                        it.isNotEmpty()
                    }.joinToString("+"),
                )
            }
        }
    }
}

/** The shortest end of [key], in whole words, that no other of [keys] shares: `enabled`, or `threads.max` beside `pool.max`. */
private fun label(key: String, keys: List<String>): String {
    val words = key.split('.')
    val ends = words.indices.reversed().map { words.drop(it).joinToString(".") }
    return nameable(ends.firstOrNull { end -> keys.none { it != key && it.endsWith(".$end") } } ?: key)
}

private fun nameable(text: String) = text.replace(Regex("[^A-Za-z0-9._-]+"), "-").trim('-').ifEmpty { "x" }

private fun experiment(question: JarQuestion, combinations: List<Combination>) = map {
    val app = fileName(question.subject.origin)
    put(ExperimentKeys.title, if (question.vary.isEmpty()) app else "$app under other settings")
    put(ExperimentKeys.question, "Which setting serves the most requests for ${question.path}?")
    val variants = map {
        combinations.forEach { (settings, name) ->
            val variant = map {
                put(VariantKeys.subject, SubjectKeys.write(question.subject))
                put(VariantKeys.settings, TEXTS_BY_NAME.write(settings - RUNTIME))
                settings[RUNTIME]?.let { put(VariantKeys.runtime, it) }
            }
            put(name.ifEmpty { "as-is" }, variant)
        }
    }
    put(ExperimentKeys.variants, variants)
    val get = map { put(WorkloadKeys.methods.first(), question.path) }
    put(ExperimentKeys.workloads, map { put(workloadName(question.path), get) })
    val closed = map { put(ProfileKeys.closed, question.connections.toString()) }
    put(ExperimentKeys.profiles, map { put("saturate", closed) })
}

private fun workloadName(path: String) =
    nameable(path.substringBefore('?').trim('/')).takeIf { path.trim('/').isNotEmpty() } ?: "root"

private fun fileName(origin: Origin): String = when (origin) {
    is Origin.Jar -> nameable(origin.path.replace('\\', '/').substringAfterLast('/').removeSuffix(".jar"))
    is Origin.Command -> nameable(origin.words.firstOrNull().orEmpty().replace('\\', '/').substringAfterLast('/'))
    is Origin.Url -> nameable(origin.base.substringAfter("://"))
}
