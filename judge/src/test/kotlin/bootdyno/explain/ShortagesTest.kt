package bootdyno.explain

import bootdyno.analyse.quietMachine
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Stack
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class ShortagesTest {
    private fun of(load: LoadProfile, openFiles: Long? = null, localPorts: Long? = null): List<String> {
        val plan =
            plan(listOf(cell(Stack.TOMCAT, Occupied.REQUEST_THREAD), cell(Stack.NETTY, Occupied.REQUEST_THREAD, load = load)))
        return shortages(plan, quietMachine.copy(openFiles = openFiles, localPorts = localPorts))
    }

    private val burst = LoadProfile.Burst(10_000, 100)

    @Test
    fun `more connections than open files are refused with the command that raises the limit`() {
        val sentence = of(burst, openFiles = 4096).single()
        listOf("10,000 connections", "4,096", "ulimit -n 10500", "use fewer").forEach { sentence shouldContain it }
        of(LoadProfile.Closed(4000), openFiles = 4096) shouldHaveSize 1
    }

    // 10,000 and 500 of the process's own.
    @Test
    fun `a limit with room for a process's own files is enough`() {
        of(burst, openFiles = 10_499) shouldHaveSize 1
        of(burst, openFiles = 10_500).shouldBeEmpty()
    }

    // Nine tenths of 28,232 are 25,408.
    @Test
    fun `more connections than local ports are refused too`() {
        of(LoadProfile.Burst(25_408, 1), localPorts = 28_232).shouldBeEmpty()
        of(LoadProfile.Burst(25_409, 1), localPorts = 28_232).single() shouldContain "ip_local_port_range"
    }

    @Test
    fun `what was not read, or cannot be known beforehand, is no shortage`() {
        of(burst).shouldBeEmpty()
        of(LoadProfile.Open(50_000.0), openFiles = 1000, localPorts = 1000).shouldBeEmpty()
        of(LoadProfile.Closed(400), openFiles = 1024, localPorts = 28_232) shouldBe emptyList()
    }
}
