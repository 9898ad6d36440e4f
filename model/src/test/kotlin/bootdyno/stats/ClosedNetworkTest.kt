package bootdyno.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import kotlin.math.min
import kotlin.random.Random

class ClosedNetworkTest {
    private infix fun Double.shouldBeNearly(expected: Double) = this shouldBe (expected plusOrMinus 1e-9 * expected)

    /** Machine repair with [servers] repairers: the probability of n broken machines is N! / (N − n)! · (demand / delay)^n / (rates of 1 to n). */
    private fun repaired(machines: Int, servers: Int, demand: Double, delay: Double): Double {
        val terms = generateSequence(1 to 1.0) { (n, term) ->
            n + 1 to term * (machines - n + 1) * demand / delay / min(n, servers)
        }
            .take(machines + 1).map { it.second }.toList()
        return terms.mapIndexed { n, term -> term * min(n, servers) }.sum() / demand / terms.sum()
    }

    /** Mean value analysis of single servers (Reiser & Lavenberg 1980). */
    private fun meanValues(demands: List<Double>, delay: Double, population: Int): Double {
        var queues = demands.map { 0.0 }
        var throughput = 0.0
        for (n in 1..population) {
            val residences = demands.zip(queues) { demand, queue -> demand * (1 + queue) }
            throughput = n / (delay + residences.sum())
            queues = residences.map { it * throughput }
        }
        return throughput
    }

    @Test
    fun `one customer never waits`() {
        val network = ClosedNetwork(listOf(Station(1.0, 0.02), Station(3.0, 0.05)), 0.1, 1)
        network.throughput shouldBeNearly 1 / 0.17
        network.bound shouldBeNearly 1 / 0.17
        network.responseSeconds shouldBeNearly 0.07
    }

    @Test
    fun `machine repair has its closed form`() {
        for ((machines, servers) in listOf(4 to 1, 10 to 1, 10 to 3, 50 to 7, 20 to 20)) {
            withClue("$machines machines, $servers repairers") {
                ClosedNetwork(listOf(Station(servers.toDouble(), 0.3)), 1.0, machines).throughput shouldBeNearly
                    repaired(machines, servers, 0.3, 1.0)
            }
        }
    }

    // 1 + 4 · 0.3 + 12 · 0.09 + 24 · 0.027 + 24 · 0.0081 = 4.1224.
    @Test
    fun `four clients with 3 ms of CPU time and 10 ms of waiting reach 82 percent of their bound`() {
        val network = ClosedNetwork(listOf(Station(1.0, 0.003)), 0.01, 4)
        network.throughput shouldBe ((1 - 1 / 4.1224) / 0.003 plusOrMinus 1e-6)
        network.throughput / network.bound shouldBe (0.82 plusOrMinus 0.005)
    }

    @Test
    fun `equal stations without a delay serve N of N + M - 1`() {
        for (customers in listOf(1, 7, 300)) {
            ClosedNetwork(List(4) { Station(1.0, 0.02) }, 0.0, customers).run {
                throughput shouldBeNearly customers / (0.02 * (customers + 3))
            }
        }
    }

    @Test
    fun `single servers have the throughput of mean value analysis`() {
        val random = Random(3)
        repeat(50) {
            val demands = List(1 + random.nextInt(5)) { random.nextDouble(0.001, 0.1) }
            val delay = random.nextDouble(0.0, 2.0)
            val population = random.nextInt(1, 400)
            val known = meanValues(demands, delay, population)
            ClosedNetwork(demands.map { Station(1.0, it) }, delay, population).throughput shouldBe
                (known plusOrMinus 1e-8 * known)
        }
    }

    @Test
    fun `enough servers are a delay`() {
        ClosedNetwork(listOf(Station(400.0, 0.5)), 0.1, 400).throughput shouldBeNearly 400 / 0.6
        ClosedNetwork(listOf(Station(1000.0, 0.5), Station(1.0, 0.0)), 0.0, 400).throughput shouldBeNearly 800.0
    }

    @Test
    fun `half a server takes twice the time`() {
        ClosedNetwork(listOf(Station(0.5, 0.01)), 0.2, 30).throughput shouldBeNearly
            ClosedNetwork(listOf(Station(1.0, 0.02)), 0.2, 30).throughput
    }

    // With two customers at once, 1.5 servers give each three quarters of the speed.
    @Test
    fun `one and a half servers lie between one and two`() {
        fun throughput(servers: Double) = ClosedNetwork(listOf(Station(servers, 0.01)), 0.0, 2).throughput
        throughput(1.5) shouldBeNearly 150.0
        throughput(1.0) shouldBeNearly 100.0
    }

    @Test
    fun `no throughput exceeds its bound`() {
        val random = Random(5)
        repeat(100) {
            val stations = List(1 + random.nextInt(4)) { Station(1.0 + random.nextInt(60), random.nextDouble(0.0005, 0.2)) }
            val delay = random.nextDouble(0.0, 0.5)
            val population = random.nextInt(1, 300)
            ClosedNetwork(stations, delay, population).run { throughput shouldBeLessThan bound * (1 + 1e-9) }
        }
    }

    @Test
    fun `ten thousand customers and a thousand servers are computed without loss`() {
        val stations = listOf(Station(1000.0, 0.5), Station(4.0, 0.0019), Station(1.0, 0.0001))
        for (delay in listOf(0.0, 0.01, 5.0)) {
            ClosedNetwork(stations, delay, 10_000).run {
                withClue("delay $delay: $throughput of $bound") {
                    throughput shouldBeGreaterThan 0.95 * bound
                    throughput shouldBeLessThan bound * (1 + 1e-9)
                }
            }
        }
    }

    @Test
    fun `a network without time or customers is refused`() {
        assertThrows<IllegalArgumentException> { ClosedNetwork(emptyList(), 0.0, 5) }
        assertThrows<IllegalArgumentException> { ClosedNetwork(listOf(Station(1.0, 1.0)), 0.0, 0) }
    }
}
