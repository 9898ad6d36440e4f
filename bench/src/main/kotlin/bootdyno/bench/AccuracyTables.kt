package bootdyno.bench

import bootdyno.analyse.Analysis
import bootdyno.analyse.Comparison
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

/** How often the judgement is right, in Markdown: [runs] simulated runs for each figure. [only]: of tables with these words in their title. */
internal fun accuracyTables(runs: Int, only: String, say: (String) -> Unit): List<String> = buildList {
    fun byRounds(title: String, rows: List<Pair<String, (Int) -> Double>>) {
        if (!title.contains(only, ignoreCase = true)) return
        say(title)
        add("### $title")
        add("")
        add("| " + (listOf("") + ROUNDS.map { "$it rounds" }).joinToString(" | ") + " |")
        add("|---" + "|---:".repeat(ROUNDS.size) + "|")
        rows.forEach { (name, share) -> add("| $name | " + ROUNDS.joinToString(" | ") { percent(share(it)) } + " |") }
        add("")
    }
    fun two(effect: Double, noise: Double, rounds: Int) = SimulatedRuns(listOf(1.0, 1 + effect, 1.0), noise, rounds)
    byRounds(
        "False differences: any of two equal candidates called faster or slower",
        NOISES.map { noise ->
            "noise ${percent(noise)}" to
                { rounds -> two(0.0, noise, rounds).share(runs) { run -> run.throughputs().any { it.isDifferent } } }
        },
    )
    listOf(0.02, 0.03, 0.05, 0.10).forEach { effect ->
        byRounds(
            "A true difference of ${percent(effect)} found, beside an equal candidate",
            NOISES.map { noise ->
                "noise ${percent(noise)}" to
                    { rounds -> two(effect, noise, rounds).share(runs) { it.of(1).verdict == Verdict.FASTER } }
            },
        )
    }
    byRounds(
        "Equivalence: an equal candidate called equivalent, δ = 3 %",
        NOISES.map { noise ->
            "noise ${percent(noise)}" to
                { rounds -> two(0.0, noise, rounds).share(runs) { it.of(1).verdict == Verdict.EQUIVALENT } }
        },
    )
    fun covers(simulated: SimulatedRuns) = simulated.share(runs) { run ->
        run.throughputs().all { it.ratio.interval?.contains(1.0) != false }
    }
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
    byRounds(
        "Ranking errors, noise 3 %",
        listOf(
            "12 equal cells in more than one rank" to { rounds ->
                SimulatedRuns(List(12) { 1.0 }, 0.03, rounds).share(runs / 4) { run -> run.ranking.any { it.rank > 1 } }
            },
            "the best cell, 5 % ahead of the others, not in the first rank" to { rounds ->
                two(0.05, 0.03, rounds).share(runs) { rankOfFirstCandidate(it).rank > 1 }
            },
            "the best cell, 5 % ahead of the others, alone in the first rank" to { rounds ->
                two(0.05, 0.03, rounds).share(runs) { run -> rankOfFirstCandidate(run).let { it.rank == 1 && !it.tied } }
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
    val rows = runs.map { analyse(it.read().facts) }.flatMap { run ->
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
