package bootdyno.report

import bootdyno.analyse.burst
import bootdyno.analyse.experiment
import bootdyno.analyse.failedTrial
import bootdyno.analyse.latencies
import bootdyno.analyse.limited
import bootdyno.analyse.limitsFound
import bootdyno.analyse.p99Below200
import bootdyno.analyse.protocol
import bootdyno.analyse.recorded
import bootdyno.analyse.series
import bootdyno.analyse.testCell
import bootdyno.analyse.testLoad
import bootdyno.analyse.testRun
import bootdyno.analyse.testTrial
import bootdyno.model.Assertion
import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Change
import bootdyno.model.Claim
import bootdyno.model.CpuBy
import bootdyno.model.DamagedTrial
import bootdyno.model.ErrorCause
import bootdyno.model.Gate
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Matters
import bootdyno.model.Measure
import bootdyno.model.Metric
import bootdyno.model.OpenPointFound
import bootdyno.model.Operand
import bootdyno.model.Prediction
import bootdyno.model.RunFacts
import bootdyno.model.Tendency
import bootdyno.model.TrialFacts
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds

/** Runs that nobody would think of. */
internal object InventedRuns {
    /** Up to six cells, up to eight rounds, each figure from nothing to absurd. */
    fun report(random: Random): Report {
        val kind = random.nextInt(6)
        val names = if (kind == BUILDS) listOf("base", "head") else NAMES.take(1 + random.nextInt(NAMES.size))
        val works = if (kind == BUILDS || random.nextBoolean()) listOf("orders") else listOf("orders", "noop")
        val load = when {
            kind == BURST -> LoadProfile.Burst(USERS, 1)
            random.nextInt(5) == 0 -> LoadProfile.Open(100.0)
            else -> LoadProfile.Closed(listOf(1, 50, 400).random(random))
        }
        val holds = if (random.nextBoolean()) 500.milliseconds else null
        val cells = works.flatMap { work -> names.map { "$it/$work" } }.map { id ->
            val limits = Limits(listOf(null, 1.0, 0.5).random(random), null, CpuBy.QUOTA)
            testCell(CellId(id), load, limits = limits, holds = holds)
        }
        val rounds = random.nextInt(9)
        val truths = cells.associate { it.id to listOf(0.0, 0.02, 20.0, 400.0, 400.0, 420.0, 800.0, 90_000.0).random(random) }
        val noise = listOf(0.0, 0.01, 0.3).random(random)
        val failing = listOf(0.0, 0.1, 1.0).random(random) * random.nextInt(2)
        // Of some cells a round is missing, or ended before their trial; some windows were limited by the load generator.
        val (missing, invalid) = List(2) { listOf(0.0, 0.0, 0.2, 0.6).random(random) }
        val twice = random.nextBoolean()
        val trials = (1..rounds).flatMap { round ->
            cells.shuffled(random).flatMap { cell ->
                List(if (twice && cell == cells.first()) 2 else 1) { nth ->
                    val rate = truths.getValue(cell.id) * (1 + noise * (2 * random.nextDouble() - 1))
                    val measured = when {
                        random.nextDouble() < missing -> null
                        random.nextDouble() < failing -> failedTrial(cell.id, round)
                        kind == BURST -> burst(cell.id, round, answers(random, rate), USERS)
                        else -> trial(random, cell, round, rate, searches = kind == CAPACITY)
                    }
                    measured?.let { again(if (random.nextDouble() < invalid) it.limited() else it, nth == 1) }
                }.filterNotNull()
            }
        }
        return reportOf(run(kind, trials, cells, rounds, random))
    }

    private fun answers(random: Random, rate: Double) =
        List(1 + random.nextInt(USERS)) { 1 + (it + 1) * 1000L / (1 + rate.toLong()) }

    private fun again(trial: TrialFacts, isSecond: Boolean): TrialFacts =
        trial.recorded { copy(trial = this.trial.copy(again = isSecond)) }

    private fun rules(random: Random, cells: List<Cell>): List<Gate> = List(random.nextInt(4)) { nth ->
        val (left, right) = List(2) { cells.random(random).id }
        val measure = listOf(Measure.THROUGHPUT, Measure.ERRORS, Measure.P99, Measure.RSS, Measure.CPU_PER_REQUEST).random(random)
        val factor = listOf(0.97, 1.0, 1.03, 1.5).random(random)
        val other = Operand(right, measure).takeIf { random.nextInt(4) > 0 && left != right }
        Gate("rule $nth", Operand(left, measure), random.nextBoolean(), factor, other)
    }

    private fun claims(random: Random, cells: List<Cell>): List<Claim> = List(random.nextInt(3)) { nth ->
        val (one, two) = cells.shuffled(random).map { it.id }
        val about = when (random.nextInt(3)) {
            0 -> Assertion.Ratio(one, two, Measure.THROUGHPUT, listOf(0.5, 1.01, 2.0).random(random))
            1 -> Assertion.Figure(one, Measure.THROUGHPUT, 400.0)
            else -> Assertion.Difference(one, two, Measure.THROUGHPUT, Tendency.entries.random(random))
        }
        Claim("claim $nth", "source", about, 0.1)
    }

    private fun trial(random: Random, cell: Cell, round: Int, rate: Double, searches: Boolean): TrialFacts {
        val fails = random.nextInt(4) == 0
        val errors = if (fails) ErrorCause.entries.associateWith { random.nextLong(3) * random.nextLong(1000) } else null
        val load = testLoad(rate).run { copy(errors = errors ?: this.errors, inFlight = random.nextLong(2) * 400) }
        val millis = List(if (rate == 0.0) 0 else 40) { 1 + random.nextLong(2000) }
        val compiler = random.nextDouble() / 10
        val used = series(
            mapOf(Metric.CPU to { it * rate / 1000 }, Metric.RSS to { 3e8 }, Metric.COMPILER_CPU to { it * compiler }),
        )
        val trial = testTrial(
            cell.id,
            round,
            rate,
            latencies = if (random.nextInt(6) == 0) null else latencies(millis, List(random.nextInt(2) * 40) { 11_000L }),
            load = load,
            series = if (random.nextInt(6) == 0) series(emptyMap()) else used,
            limits = if (random.nextBoolean()) limitsFound() else null,
        )
        if (!searches) return trial
        val tried = List(random.nextInt(5)) { 10.0 * (it + 1) }
        val points = tried.map {
            OpenPointFound(
                perSecond = it,
                load = testLoad(it * random.nextInt(2)).copy(due = (it * 10).toLong()),
                searched = true,
            )
        }
        return trial.copy(
            record = trial.record.copy(openPoints = points),
            openLatencies = tried.map { latencies(List(50) { random.nextLong(400) }) },
        )
    }

    private fun run(kind: Int, trials: List<TrialFacts>, cells: List<Cell>, rounds: Int, random: Random): RunFacts {
        val (last, first) = listOf(cells.last(), cells.first()).map { Operand(it.id, Measure.THROUGHPUT) }
        val slower = Gate("slower by 3 %", last, atLeast = true, factor = 0.97, right = first)
        val planned = maxOf(1, rounds)
        val asked = experiment(cells, protocol(planned, listOf(planned, planned + 6).random(random))).copy(
            variants = cells.map { it.variant }.distinct(),
            baseline = cells.first().id.takeIf { kind == BUILDS || random.nextInt(8) > 0 },
            gates = (if (kind == BUILDS || random.nextInt(3) == 0) listOf(slower) else emptyList()) + rules(random, cells),
            titles = if (random.nextInt(4) > 0) emptyMap() else cells.associate { it.id.text to LONG_TITLE + it.id },
            claims = if (cells.size > 1) claims(random, cells) else emptyList(),
            matters = Matters(listOf(0.01, 0.03, 0.1).random(random)),
            capacity = p99Below200.takeIf { kind == CAPACITY },
        )
        val damaged = List(listOf(0, 0, 1, 3).random(random)) {
            DamagedTrial(it + 1, cells.random(random).id, "trials/$it", "it is empty")
        }
        val run = merged(testRun(trials, cells, asked).copy(damaged = damaged), random)
        if (kind != CONFIRM || cells.size < 2) return run
        return run.copy(plan = run.plan.copy(prediction = Prediction(Change.Setting("threads", "400"), 1.9, 2.0, "Predicted.")))
    }

    /** Every fifth run is of two machines, of one or two CPU models. */
    private fun merged(run: RunFacts, random: Random): RunFacts {
        if (random.nextInt(5) > 0) return run
        val (odd, even) = (1..9).partition { it % 2 == 1 }
        val models = listOf("a", listOf("a", "b").random(random))
        val machines = listOf(odd, even).zip(models).map { (rounds, cpu) ->
            run.environment.copy(cpuModel = cpu, rounds = rounds)
        }
        return run.copy(environment = machines[0], otherMachines = machines.drop(1))
    }

    private const val USERS = 100
    private const val LONG_TITLE = "Virtual threads with a pool of connections, "
    private const val BURST = 5
    private const val BUILDS = 1
    private const val CAPACITY = 2
    private const val CONFIRM = 3
    private val NAMES = listOf("tomcat", "webflux", "virtual", "loom", "jetty", "=cmd")
}
