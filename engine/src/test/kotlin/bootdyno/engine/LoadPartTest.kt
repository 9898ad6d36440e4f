package bootdyno.engine

import bootdyno.engine.netty.Schedule
import bootdyno.model.Arrivals
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class LoadPartTest {
    @Test
    fun `the event loops of hosts with different numbers of CPUs take each arrival of one schedule exactly once`() {
        val poisson = Schedule(LoadProfile.Open(100.0, Arrivals.POISSON), seed = 3)
        val loops = listOf(0 to 1, 1 to 3, 2 to 2).flatMap { (host, cpus) ->
            (0 until cpus).map { LoadPart(host, 3).part(it, cpus) }
        }
        val all = loops.flatMap { part -> poisson.part(part.index, part.of).let { times -> List(200) { times.asLong } } }.sorted()
        val whole = poisson.times().let { times -> List(300) { times.asLong } }
        all.filter { it <= whole.last() } shouldContainExactly whole
    }

    @Test
    fun `parts count what they contain`() {
        val parts = List(3) { LoadPart(it, 3) }
        parts.map { it.count(7) } shouldContainExactly listOf(3, 2, 2)
        parts.map { part -> (0 until 7).count { it in part } } shouldContainExactly listOf(3, 2, 2)
        parts.map { it.count(1) } shouldContainExactly listOf(1, 0, 0)
        LoadPart().count(9) shouldBe 9
        shouldThrow<IllegalArgumentException> { LoadPart(3, 3) }.message shouldContain "part 3 of 3"
    }
}
