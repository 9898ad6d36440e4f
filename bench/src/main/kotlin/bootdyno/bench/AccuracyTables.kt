package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.Comparison
import bootdyno.analyse.Rank
import bootdyno.analyse.Verdict
import bootdyno.analyse.analyse
import bootdyno.model.Measure
import bootdyno.model.percent
import bootdyno.model.significant
import bootdyno.store.RunFolder

private val NOISES = listOf(0.01, 0.03, 0.05)
private val ROUNDS = listOf(2, 3, 6, 10, 15, 30)

internal fun Analysis.throughputs(): List<Comparison> = comparisons.filter { it.measure == Measure.THROUGHPUT }

internal fun Analysis.of(candidate: Int): Comparison = throughputs().single { it.candidate == SimulatedRuns.candidate(candidate) }

internal val Comparison.isDifferent get() = verdict == Verdict.FASTER || verdict == Verdict.SLOWER

private fun rankOfFirstCandidate(run: Analysis) = run.ranking.single { it.cell == SimulatedRuns.candidate(1) }

/** The head of a table with a name in each row. */
internal fun headOf(title: String, columns: List<String>): List<String> =
    listOf("### $title", "", "| | ${columns.joinToString(" | ")} |", "|---" + "|---:".repeat(columns.size) + "|")

/** How often the judgement is right, in Markdown: [runs] simulated runs for each figure. [only]: of tables with these words in their title. */
internal fun accuracyTables(runs: Int, only: String, say: (String) -> Unit): List<String> = buildList {
    fun byRounds(title: String, rows: List<Pair<String, (Int) -> Double>>) {
        if (!title.contains(only, ignoreCase = true)) return
        say(title)
        addAll(headOf(title, ROUNDS.map { "$it rounds" }))
        rows.forEach { (name, share) -> add("| $name | " + ROUNDS.joinToString(" | ") { percent(share(it)) } + " |") }
        add("")
    }
    fun two(effect: Double, noise: Double, rounds: Int) = SimulatedRuns(listOf(1.0, 1 + effect, 1.0), noise, rounds)
    fun byNoise(title: String, effect: Double, happens: (Analysis) -> Boolean) =
        byRounds(title, NOISES.map { of -> "noise ${percent(of)}" to { n: Int -> two(effect, of, n).share(runs, happens) } })
    byNoise("False differences: any of two equal candidates called faster or slower", 0.0) { run ->
        run.throughputs().any { it.isDifferent }
    }
    listOf(0.02, 0.03, 0.05, 0.10).forEach { effect ->
        byNoise("A true difference of ${percent(effect)} found, beside an equal candidate", effect) {
            it.of(1).verdict == Verdict.FASTER
        }
    }
    byNoise("Equivalence: an equal candidate called equivalent, δ = 3 %", 0.0) { it.of(1).verdict == Verdict.EQUIVALENT }
    fun covers(simulated: SimulatedRuns): Double = simulated.share(runs) { covers(it, doubleArrayOf(1.0, 1.0)) }
    byRounds(
        "Coverage: the intervals of two equal candidates contain the truth together",
        listOf(
            "noise 3 %" to { rounds -> covers(SimulatedRuns(listOf(1.0, 1.0, 1.0), 0.03, rounds)) },
            "one candidate three times as noisy" to
                { rounds -> covers(SimulatedRuns(listOf(1.0, 1.0, 1.0), listOf(0.03, 0.03, 0.09), rounds)) },
            "one trial in ten at half speed" to
                { rounds -> covers(SimulatedRuns(listOf(1.0, 1.0, 1.0), List(3) { 0.03 }, rounds, slow = 0.1)) },
            "the machine 30 % slower at the end" to
                { rounds -> covers(SimulatedRuns(listOf(1.0, 1.0, 1.0), List(3) { 0.03 }, rounds, drift = -0.3)) },
        ),
    )
    if (ROBUST_TITLE.contains(only, ignoreCase = true)) {
        say(ROBUST_TITLE)
        addAll(robustTable(runs))
    }
    byRounds(
        "Six machines whose speeds differ by up to 30 %, each measuring rounds in turn: intervals that contain the truth",
        listOf(
            "ratios, the same on all machines" to { rounds -> covers(onSix(rounds)) },
            "ratios that differ by 3 % between machines" to { rounds -> covers(onSix(rounds, differ = 0.03)) },
            "the same, one machine with twice the noise" to { rounds -> covers(onSix(rounds, differ = 0.03, disturbed = 2.0)) },
            "the same, judged as if on one machine" to
                { rounds -> covers(onSix(rounds, differ = 0.03, disturbed = 2.0, known = false)) },
            "throughput pooled as if on one machine: that of the slowest" to { rounds -> pooledThroughput(rounds, runs) },
        ),
    )
    STANDARD_TITLES.filterKeys { it.contains(only, ignoreCase = true) }.forEach { (title, inBudget) ->
        say(title)
        addAll(standardTable(title, runs / 4, inBudget))
    }
    byRounds(
        "Letters, noise 3 %",
        listOf(
            "12 equal cells that do not share a letter" to { rounds ->
                SimulatedRuns(List(12) { 1.0 }, 0.03, rounds).share(runs / 4) { run -> run.ranking.any { !it.mayBeBest } }
            },
            "the best cell, 5 % ahead of two others, not among those that may be the best" to { rounds ->
                two(0.05, 0.03, rounds).share(runs) { !rankOfFirstCandidate(it).mayBeBest }
            },
            "the best cell, 5 % ahead of two others, the only one that may be the best" to { rounds ->
                two(0.05, 0.03, rounds).share(runs) { it.ranking.filter(Rank::mayBeBest) == listOf(rankOfFirstCandidate(it)) }
            },
            "its two equal others told apart: no letter in common" to { rounds ->
                two(0.05, 0.03, rounds).share(runs) { run ->
                    val (one, other) = (run.ranking - rankOfFirstCandidate(run)).map { it.letters.toSet() }
                    (one intersect other).isEmpty()
                }
            },
        ),
    )
}

/** Speeds of machines that differ by up to 30 %. */
internal val UNEQUAL = listOf(1.0, 1.06, 1.12, 1.18, 1.24, 1.3)

/** Two equal candidates on machines of [UNEQUAL] speeds. */
internal fun onSix(rounds: Int, differ: Double = 0.0, disturbed: Double = 1.0, known: Boolean = true): SimulatedRuns {
    val machines = SimulatedMachines(UNEQUAL, wander = 0.02, differ, disturbed, known)
    return SimulatedRuns(listOf(1.0, 1.0, 1.0), List(3) { 0.03 }, rounds, machines = machines)
}

/** How often the interval of a throughput over all machines, as if they were one, contains that of the slowest. */
internal fun pooledThroughput(rounds: Int, runs: Int): Double = onSix(rounds, known = false).share(runs) { run ->
    run.cell(SimulatedRuns.candidate(1))?.throughput?.interval?.contains(SimulatedRuns.BASIC_RATE * UNEQUAL.first()) == true
}

/** What real runs found, in Markdown. */
internal fun measuredTables(runs: List<RunFolder>): List<String> {
    if (runs.isEmpty()) return emptyList()
    val rows = runs.map { analyse(it.read()) }.flatMap { run ->
        val itself = listOfNotNull(run.resolution)
        (itself + run.throughputs()).map { comparison ->
            val ratio = comparison.ratio
            val interval = ratio.interval?.run { "${significant(low)} to ${significant(high)}" } ?: "–"
            "| ${comparison.candidate} | ${comparison.baseline} | ${significant(ratio.value)} | $interval | ${ratio.n} | " +
                "${comparison.verdict?.word ?: "–"} |"
        }
    }
    return listOf(
        "### Real runs: throughput by within-round ratios",
        "",
        "| cell | baseline | ratio | interval | rounds | verdict |",
        "|---|---|---:|---:|---:|---|",
    ) + rows
}

/** With the number of rounds for which there is time. */
private val STANDARD_TITLES = mapOf(
    "As the preset standard ends: 3 to 15 rounds, settled cells leave" to 15,
    "As the preset standard ends if its budget leaves time for 5 rounds" to 5,
    "As the preset standard ends if its budget leaves time for 3 rounds" to 3,
)

/** The true ratios of the candidates in a run of the preset `standard`. */
internal fun standardRuns(noise: Double, vararg truths: Double) =
    SimulatedRuns(listOf(1.0) + truths.toList(), List(truths.size + 1) { noise }, rounds = 15, fewest = 3)

private fun standardTable(title: String, runs: Int, inBudget: Int): List<String> = buildList {
    addAll(headOf(title, STANDARD_NOISES.map { "noise ${percent(it)}" }))
    fun row(name: String, truths: DoubleArray, figure: (List<StoppedRun>) -> String) =
        add("| $name | " + STANDARD_NOISES.joinToString(" | ") { figure(standardRuns(it, *truths).stops(runs, inBudget)) } + " |")
    fun share(of: List<StoppedRun>, happens: (Analysis) -> Boolean) = percent(
        of.count { happens(it.analysis) } / of.size.toDouble(),
    )
    val equal = doubleArrayOf(1.0, 1.0)
    row("any of two equal candidates called faster or slower", equal) { all ->
        share(all) { run -> run.throughputs().any { it.isDifferent } }
    }
    row("their intervals contain the truth together", equal) { all -> share(all) { run -> covers(run, equal) } }
    val unequal = doubleArrayOf(1.05, 1.0, 0.5, 0.7)
    row("+5 % beside three others, found", unequal) { all -> share(all) { it.of(1).verdict == Verdict.FASTER } }
    row("its equal one called equivalent", unequal) { all -> share(all) { it.of(2).verdict == Verdict.EQUIVALENT } }
    val better = doubleArrayOf(1.0309)
    row("a candidate 3 % faster called equivalent", better) { all -> share(all) { it.of(1).verdict == Verdict.EQUIVALENT } }
    row("all four intervals contain the truth", unequal) { all -> share(all) { run -> covers(run, unequal) } }
    row("rounds, median", unequal) { all -> "${all.map { it.rounds }.sorted()[all.size / 2]}" }
    row("trials, of those of whole rounds", unequal) { all ->
        percent(all.sumOf { it.trials } / all.sumOf { it.rounds * (unequal.size + 2) }.toDouble())
    }
    add("")
}

internal fun covers(run: Analysis, truths: DoubleArray): Boolean =
    truths.indices.all { run.of(it + 1).ratio.interval?.contains(truths[it]) != false }

private val STANDARD_NOISES = listOf(0.001, 0.01, 0.03, 0.05)
