package bootdyno.flags

import bootdyno.keys.COMPOSE
import bootdyno.keys.ExperimentKeys
import bootdyno.keys.MOST_CELLS
import bootdyno.keys.ProfileKeys
import bootdyno.keys.SubjectKeys
import bootdyno.keys.VariantKeys
import bootdyno.keys.WrittenWorkload
import bootdyno.keys.nameable
import bootdyno.model.Compose
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.Subject
import bootdyno.model.count
import bootdyno.model.redactText
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.readTree
import bootdyno.yaml.MapNode
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.mapNode

const val USUAL_CONNECTIONS = 400

/** The arguments of `dyno run some-app.jar --path /x --vary key=a,b`. */
data class JarQuestion(
    val subject: Subject,
    /** Paths and queries that are requested by GET. They and [requests] are sent equally often; at least one is given. */
    val paths: List<String>,
    /** `setting=value,value`, or `runtime=jar,aot-cache`; several are combined. Empty: a single variant. */
    val vary: List<String> = emptyList(),
    /** Connections of the closed load. */
    val connections: Int = USUAL_CONNECTIONS,
    val requests: List<RequestFlag> = emptyList(),
    /** Replaces [paths] and [requests]. */
    val workload: WrittenWorkload? = null,
    /** Application properties of all variants, as `key=value`. */
    val settings: List<String> = emptyList(),
    /** Environment variables, as `NAME=value`. */
    val environment: List<String> = emptyList(),
    /** JVM flags in order. */
    val jvm: List<String> = emptyList(),
    /** Versions or paths of JDKs; several are variants. */
    val java: List<String> = emptyList(),
    /** Absolute path; null: a new, empty folder. */
    val workingDirectory: String? = null,
    val compose: Compose? = null,
    val design: Design = Design.FACTORIAL,
)

/**
 * Two rounds if they settle the question, and further ones that fit into six minutes with the start. Two settings of an application that
 * computes need three, of less than a minute per trial.
 */
private val FEW_ROUNDS = mapOf(
    ExperimentKeys.rounds.name to "2",
    ExperimentKeys.maxRounds.name to "5",
    ExperimentKeys.budget.name to "345 s",
)

/** The setting of Spring Boot since 3.2 for virtual threads. */
const val VIRTUAL_THREADS = "spring.threads.virtual.enabled"

/** The values that a question without arguments compares. */
const val PLATFORM_OR_VIRTUAL = "$VIRTUAL_THREADS=false,true"

/**
 * Plans the comparison of an application under different settings, with the same experiment as a file would contain. Rounds that are
 * measured apart are not adaptive, and have no rates in common.
 */
fun experimentOfJar(question: JarQuestion, surroundings: Surroundings, overrides: Overrides): Read<Plan> {
    val problems = Problems()
    val whole = experiment(question, problems) ?: return Read.Unsound(problems.all())
    val notApart = listOf(ExperimentKeys.maxRounds, ExperimentKeys.latencyAt)
    val tree = if (overrides.roundsApart) notApart.fold(whole) { tree, key -> tree.without(key.name) } else whole
    return readTree(tree, fileName(question.subject.origin), surroundings, overrides, problems)
}

/** The experiment of [question] as a file would contain it; null after a problem that leaves none. */
internal fun experiment(question: JarQuestion, problems: Problems): MapNode? {
    val javas = listOfNotNull(question.java.takeIf { it.size > 1 }?.let { Varied(VariedPart.JAVA, "java", it) })
    val varied = javas + question.vary.mapNotNull { varied(it, problems) }
    varied.groupBy { it.part to it.key }.values.filter { it.size > 1 }.forEach { same ->
        problems.add(Place("--vary"), "", "`${same.first().key}` is varied twice", "give all its values at once")
    }
    val pairs = Pairs(keyValues("--setting", question.settings, problems), keyValues("--env", question.environment, problems))
    val workload = question.workload ?: workloadOf(question.paths, question.requests, problems)
    val isTooLarge = variantsOf(varied, question.design) > MOST_CELLS
    if (isTooLarge) {
        val message = "makes more than ${count(MOST_CELLS)} variants"
        problems.add(Place("--vary"), "", message, "vary fewer settings, or fewer values, or --design one-at-a-time")
    }
    if (workload == null || isTooLarge) return null
    return experiment(question, variants(question, choices(varied, question.design), pairs), workload)
}

/** Settings and environment of all variants. */
private class Pairs(val settings: Map<String, String>, val environment: Map<String, String>)

private fun keyValues(flag: String, texts: List<String>, problems: Problems): Map<String, String> = texts.mapNotNull { text ->
    val key = text.substringBefore('=', "").trim()
    if (key.isEmpty()) {
        problems.add(Place("$flag ${redactText(text)}"), "", "`$text` sets nothing", "write KEY=VALUE")
    } else {
        key to text.substringAfter('=')
    }
}.toMap()

private fun variants(question: JarQuestion, choices: Map<String, Choice>, pairs: Pairs): MapNode = mapNode(
    choices.mapValues { (_, choice) ->
        fun chosen(part: VariedPart) = choice.filterKeys { it.part == part }
        fun pairsOf(part: VariedPart) = chosen(part).entries.associate { (varied, value) -> varied.key to value }
        fun oneOf(part: VariedPart) = chosen(part).values.firstOrNull()
        val settings = pairs.settings + pairsOf(VariedPart.SETTING)
        val environment = pairs.environment + pairsOf(VariedPart.ENV)
        val jvm = question.jvm + chosen(VariedPart.JVM).values.filter { it != NO_FLAG }
        val java = oneOf(VariedPart.JAVA) ?: question.java.singleOrNull()
        mapNode(
            mapOf(
                VariantKeys.subject.name to SubjectKeys.write(question.subject),
                VariantKeys.settings.name to settings.takeIf { it.isNotEmpty() }?.let(TEXTS_BY_NAME::write),
                VariantKeys.jvm.name to jvm.takeIf { it.isNotEmpty() }?.let(TEXTS::write),
                VariantKeys.env.name to environment.takeIf { it.isNotEmpty() }?.let(TEXTS_BY_NAME::write),
                VariantKeys.java.name to java?.let(TEXT::write),
                VariantKeys.runtime.name to oneOf(VariedPart.RUNTIME)?.let(TEXT::write),
                VariantKeys.workingDirectory.name to question.workingDirectory?.let(TEXT::write),
            ),
        )
    },
)

private fun experiment(question: JarQuestion, variants: MapNode, workload: WrittenWorkload): MapNode {
    val app = fileName(question.subject.origin)
    val (title, text) = when {
        variants.fields.size == 1 -> app to "What does it serve, and what limits it?"

        question.vary == listOf(PLATFORM_OR_VIRTUAL) ->
            "$app: platform and virtual threads" to "Which threads serve the most requests?"

        else -> "$app under other settings" to "Which setting serves the most requests for ${workload.words}?"
    }
    val closed = TEXTS_BY_NAME.write(mapOf(ProfileKeys.closed.name to "${question.connections}"))
    val isAlone = variants.fields.size == 1
    return mapNode(
        mapOf(
            ExperimentKeys.title.name to TEXT.write(title),
            ExperimentKeys.question.name to TEXT.write(text),
            ExperimentKeys.compose.name to question.compose?.let(COMPOSE::write),
            ExperimentKeys.variants.name to variants,
            ExperimentKeys.workloads.name to mapNode(mapOf(workload.name to workload.node)),
            ExperimentKeys.profiles.name to mapNode(mapOf("saturate" to closed)),
            ExperimentKeys.preset.name to TEXT.write(Preset.QUICK.word),
            ExperimentKeys.latencyAt.name to TEXTS.write(listOf("50 %", "80 %")).takeIf { isAlone },
        ) + FEW_ROUNDS.mapValues { TEXT.write(it.value) },
    )
}

internal fun fileName(origin: Origin): String = when (origin) {
    is Origin.Jar -> nameable(origin.path.replace('\\', '/').substringAfterLast('/').substringBeforeLast('.'))
    is Origin.Command -> nameable(origin.words.firstOrNull().orEmpty().replace('\\', '/').substringAfterLast('/'))
    is Origin.Image -> nameable(origin.name.substringAfterLast('/').substringBefore('@'))
    is Origin.Url -> nameable(origin.base.substringAfter("://").substringAfterLast('@'))
}
