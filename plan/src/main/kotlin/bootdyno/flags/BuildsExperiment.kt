package bootdyno.flags

import bootdyno.keys.ExperimentKeys
import bootdyno.keys.SubjectKeys
import bootdyno.keys.VariantKeys
import bootdyno.model.Measure
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.model.TimeUntilAnswered
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.merge
import bootdyno.plan.readTree
import bootdyno.yaml.Field
import bootdyno.yaml.Key
import bootdyno.yaml.MapNode
import bootdyno.yaml.NOWHERE
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.mapNode
import bootdyno.yaml.parseDuration
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The arguments of `dyno compare base.jar head.jar`: [application] is the older build with its requests and load, [head] the newer build. */
data class BuildsQuestion(
    val application: JarQuestion,
    val head: Subject,
    /** `base.jar against head.jar` */
    val title: String,
    /** Rules of `--fail-on`. Empty: `throughput slower by 3 %`. */
    val failOn: List<String> = emptyList(),
    /** Time limit of rounds after the third, as in a file: `10 min`. */
    val budget: String = "10 min",
)

private val FAIL_ON = Place("--fail-on")
private const val NOT_SEARCHED = "the capacity is searched for an objective only"
private const val HOW_TO_SEARCH = "add --slo 'p99 < 200 ms, errors < 0.1 %'"
private const val BASE = "base"
private const val HEAD = "head"

/** Rounds before the first judgement: the interval of two is too wide for any. */
private const val FIRST_ROUNDS = 3
private const val MOST_ROUNDS = 30

/** Two trials with windows of 10 s; less on a fast machine, more for applications that start slowly. */
private val USUAL_ROUND = 75.seconds
private const val WINDOW = "10 s"

/** The rules [failOn] of a comparison, before its builds are made. [searched]: whether it has an objective. */
fun rulesOfBuilds(failOn: List<String>, searched: Boolean): Read<List<String>> {
    val problems = Problems()
    val rules = failOn.mapNotNull { ruleForBuilds(it, problems) }
    if (!searched && rules.any { it.quantity.measure == Measure.CAPACITY }) problems.add(FAIL_ON, "", NOT_SEARCHED, HOW_TO_SEARCH)
    return if (problems.none) Read.Sound(failOn) else Read.Unsound(problems.all())
}

/** Plans the comparison of two builds in the same rounds, with the same experiment as a file would contain: two variants, and gates. */
fun experimentOfBuilds(question: BuildsQuestion, surroundings: Surroundings, overrides: Overrides): Read<Plan> {
    val problems = Problems()
    val tree = experiment(question.application, problems)?.without(ExperimentKeys.latencyAt.name)
    val rules = question.failOn.ifEmpty { listOf(USUAL_RULE) }.mapNotNull { text -> ruleForBuilds(text, problems) }
    if (tree == null || !problems.none) return Read.Unsound(problems.all())
    val workload = tree.first(ExperimentKeys.workloads).name
    val builds = mapNode(
        mapOf(
            ExperimentKeys.title.name to TEXT.write(question.title),
            ExperimentKeys.question.name to TEXT.write("Is the new build as fast as the old one?"),
            ExperimentKeys.profiles.name to
                mapNode(mapOf(tree.first(ExperimentKeys.profiles).name to TEXTS_BY_NAME.write(mapOf("window" to WINDOW)))),
            ExperimentKeys.rounds.name to TEXT.write("$FIRST_ROUNDS"),
            ExperimentKeys.maxRounds.name to TEXT.write("${mostRounds(question.budget)}"),
            ExperimentKeys.again.name to TEXT.write("false"),
            ExperimentKeys.budget.name to TEXT.write(question.budget),
            ExperimentKeys.gates.name to
                TEXTS.write(rules.map { it.text("$HEAD/$workload", "$BASE/$workload.${it.quantity.word}") }),
        ),
    )
    val whole = merge(tree.without(ExperimentKeys.variants.name), builds)
    val variants = Field(ExperimentKeys.variants.name, NOWHERE, variants(tree, question.head))
    val name = fileName(question.head.origin)
    val read = readTree(whole.copy(fields = whole.fields + variants), name, surroundings, overrides, problems)
    return if (read is Read.Sound) withObjective(read, problems) else read
}

/** Repeated intervals spend their error over all possible rounds: those for which the [budget] has no time would only widen the others. */
private fun mostRounds(budget: String): Int =
    ((parseDuration(budget) ?: Duration.ZERO) / USUAL_ROUND).toInt().coerceIn(FIRST_ROUNDS + 1, MOST_ROUNDS)

/** Bursts have measures of their own; `compare` puts closed load on both builds. */
private fun ruleForBuilds(text: String, problems: Problems): WorseRule? {
    val rule = worseRule(text, problems) ?: return null
    val isOfBursts = rule.quantity.measure.source is TimeUntilAnswered
    val hint = "name another measure, or compare two runs of an experiment with a burst"
    return if (isOfBursts) problems.add(flagPlace(text), "", "`${rule.quantity.word}` is measured in bursts only", hint) else rule
}

/** A rule about the capacity needs a search. */
private fun withObjective(read: Read.Sound<Plan>, problems: Problems): Read<Plan> {
    val experiment = read.value.experiment
    val rule = experiment.gates.find { it.left.measure == Measure.CAPACITY }
    if (rule == null || experiment.capacity != null) return read
    problems.add(FAIL_ON, "", NOT_SEARCHED, HOW_TO_SEARCH)
    return Read.Unsound(problems.all())
}

/** The variant of the older build, and the same with another subject. */
private fun variants(tree: MapNode, head: Subject): MapNode {
    val base = tree.first(ExperimentKeys.variants).value as MapNode
    val subject = VariantKeys.subject.name
    val other = base.without(subject).run { copy(fields = fields + Field(subject, NOWHERE, SubjectKeys.write(head))) }
    return mapNode(mapOf(BASE to base, HEAD to other))
}

private fun MapNode.first(key: Key<*, *>): Field = (get(key.name) as MapNode).fields.first()
