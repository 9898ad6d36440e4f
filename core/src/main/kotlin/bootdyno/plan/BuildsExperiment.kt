package bootdyno.plan

import bootdyno.model.Plan
import bootdyno.model.Subject
import java.math.BigDecimal

/** The arguments of `dyno compare base.jar head.jar`: [application] is the older build with its requests and load. */
data class BuildsQuestion(
    val application: JarQuestion,
    val head: Subject,
    /** Empty: `throughput slower by 3 %`. */
    val failOn: List<String> = emptyList(),
    /** Time limit of rounds after the third, as in a file: `10 min`. */
    val budget: String = "10 min",
)

private const val BASE = "base"
private const val HEAD = "head"

/** Rounds before the first judgement: the interval of two is too wide for any. */
private const val FIRST_ROUNDS = 3
private const val MOST_ROUNDS = 30
private const val WINDOW = "10 s"
private const val USUAL = "throughput slower by 3 %"

private val RULE = Regex("""(\S+)\s+(slower|worse|lower|less|higher|more)\s+by\s+(.+)""")

/** Plans the comparison of two builds in the same rounds, with the same experiment as a file would contain: two variants, and gates. */
fun experimentOfBuilds(question: BuildsQuestion, surroundings: Surroundings, overrides: Overrides): Read<Plan> {
    val problems = Problems()
    val tree = experiment(question.application, problems)?.without(ExperimentKeys.latencyAt.name)
        ?: return Read.Unsound(problems.all())
    val workload = tree.first(ExperimentKeys.workloads).name
    val gates = question.failOn.ifEmpty { listOf(USUAL) }.mapNotNull { gate(it, workload, problems) }
    if (!problems.none) return Read.Unsound(problems.all())
    val builds = mapNode(
        mapOf(
            ExperimentKeys.title.name to TEXT.write("${question.head.name}: $BASE against $HEAD"),
            ExperimentKeys.question.name to TEXT.write("Is the new build as fast as the old one?"),
            ExperimentKeys.profiles.name to
                mapNode(mapOf(tree.first(ExperimentKeys.profiles).name to TEXTS_BY_NAME.write(mapOf("window" to WINDOW)))),
            ExperimentKeys.rounds.name to TEXT.write("$FIRST_ROUNDS"),
            ExperimentKeys.maxRounds.name to TEXT.write("$MOST_ROUNDS"),
            ExperimentKeys.again.name to TEXT.write("false"),
            ExperimentKeys.budget.name to TEXT.write(question.budget),
            ExperimentKeys.gates.name to TEXTS.write(gates),
        ),
    )
    val whole = merge(tree.without(ExperimentKeys.variants.name), builds)
    val variants = Field(ExperimentKeys.variants.name, NOWHERE, variants(tree, question.head))
    return readTree(whole.copy(fields = whole.fields + variants), question.head.name, surroundings, overrides, problems)
}

/** The variant of the older build, and the same with another subject. */
private fun variants(tree: MapNode, head: Subject): MapNode {
    val base = tree.first(ExperimentKeys.variants).value as MapNode
    val subject = VariantKeys.subject.name
    val other = base.without(subject).run { copy(fields = fields + Field(subject, NOWHERE, SubjectKeys.write(head))) }
    return mapNode(mapOf(BASE to base, HEAD to other))
}

private fun MapNode.first(key: Key<*, *>): Field = (get(key.name) as MapNode).fields.first()

/** The gate for a rule such as `p99 slower by 10 %`; null after a problem. Its measure may be of an operation: `create.p99`. */
private fun gate(rule: String, workload: String, problems: Problems): String? {
    val place = Place("--fail-on ${shortened(rule)}")
    val hint = "write 'throughput slower by 3 %' or 'rss higher by 10 %'; measures: ${MEASURES.keys.joinToString()}"
    val (quantity, direction, percentage) = RULE.matchEntire(rule.trim())?.destructured
        ?: return problems.add(place, "", "is not a rule", hint)
    val measure = MEASURES.entries.filter { ".$quantity".endsWith(".${it.key}") }.maxByOrNull { it.key.length }?.value
        ?: return problems.add(place, "", "`$quantity` is not a measure", suggestion(quantity, MEASURES.keys) ?: hint)
    val share = parsePercent(percentage)?.takeIf { it in TOLERANCES }
        ?: return problems.add(place, "", "`$percentage` is not a percentage ${words(TOLERANCES, ::percentText)}", hint)
    val falls = when (direction) {
        "lower", "less" -> true
        "higher", "more" -> false
        else -> measure.moreIsBetter
    }
    val one = BigDecimal.ONE
    val factor = if (falls) one - BigDecimal("$share") else one + BigDecimal("$share")
    return "$HEAD/$workload.$quantity ${if (falls) ">=" else "<="} ${factor.toPlainString()} * $BASE/$workload.$quantity"
}
