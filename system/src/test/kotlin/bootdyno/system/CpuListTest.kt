package bootdyno.system

import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CpuListTest {
    @Test
    fun `the kernel's lists are read and written`() {
        mapOf(
            "" to emptyList(),
            "1" to listOf(1),
            "0-1" to listOf(0, 1),
            "0-2,5" to listOf(0, 1, 2, 5),
            "0,2-3,7" to listOf(0, 2, 3, 7),
        )
            .forEach { (text, cpus) ->
                parseCpuList("$text\n") shouldBe cpus
                formatCpuList(cpus) shouldBe text
            }
    }

    @Test
    fun `order and doubles do not matter when writing`() {
        formatCpuList(listOf(3, 1, 2, 1)) shouldBe "1-3"
    }

    @Test
    fun `this process may use some CPU, and a process that is not there none`() {
        availableCpus().shouldNotBeEmpty()
        cpuListOf(Long.MAX_VALUE) shouldBe null
    }
}
