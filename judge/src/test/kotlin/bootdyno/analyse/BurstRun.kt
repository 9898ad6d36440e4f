package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.ErrorCause
import bootdyno.model.GeneratorFound
import bootdyno.model.LoadProfile
import bootdyno.model.TrialFacts

/** Bursts of 100 users with one request each; the time limit is the profile's window, 10 s. */
internal fun burstCells(users: Int = 100): List<Cell> =
    listOf(baseline, other, third).map { testCell(it, LoadProfile.Burst(users, 1)) }

/** One burst of [users] with an answer at each of [answers], in ms; the other requests fail. */
internal fun burst(cell: CellId, round: Int, answers: List<Long>, users: Int = 100): TrialFacts {
    val load = testLoad().copy(
        windowSeconds = answers.max() / 1e3,
        answered = answers.size.toLong(),
        errors = mapOf(ErrorCause.TIMEOUT to users.toLong() - answers.size),
        generator = GeneratorFound(cpuSeconds = 0.1, cpus = 1.0, lagP99Ms = null),
    )
    return testTrial(cell, round, load = load, latencies = latencies(answers).copy(sinceStart = seen(*answers.toLongArray())))
}

/** One burst a round, whose requests are answered one after the other until [last], in ms, except [unanswered] of them. */
internal fun evenBurst(cell: CellId, vararg last: Long, unanswered: Int = 0, users: Int = 100): List<TrialFacts> =
    last.mapIndexed { i, it -> burst(cell, i + 1, (1L..users - unanswered).map { nth -> nth * it / users }, users) }
