package bootdyno.subjects.work

import bootdyno.subjects.work.contract.DescribedStyle
import bootdyno.subjects.work.contract.Descriptor
import bootdyno.subjects.work.contract.Work
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DescriptorTest {
    private val descriptor =
        Descriptor.parse(
            """
            subject: servlet
            ready: /noop
            styles:
              /noop:      { style: "no-op", occupies: request-thread }
              /suspendIO: { style: "suspend + Dispatchers.IO", occupies: dispatchers-io }
              /cpu1:      { style: "CPU, suspend", occupies: request-thread }
              /cpuCoop:   { style: "CPU, cooperative (yield)", occupies: dispatchers-default }
            """.trimIndent(),
        )

    @Test
    fun `styles keep their path, name and what they occupy`() {
        descriptor shouldBe
            Descriptor(
                ready = "/noop",
                styles =
                listOf(
                    DescribedStyle("/noop", "no-op", "request-thread"),
                    DescribedStyle("/suspendIO", "suspend + Dispatchers.IO", "dispatchers-io"),
                    DescribedStyle("/cpu1", "CPU, suspend", "request-thread"),
                    DescribedStyle("/cpuCoop", "CPU, cooperative (yield)", "dispatchers-default"),
                ),
            )
    }

    @Test
    fun `the name of a style tells what it does`() {
        descriptor.styles.map { it.work } shouldBe listOf(null, Work.WAIT, Work.PRIMES, Work.COOPERATIVE_PRIMES)
    }

    @Test
    fun `a descriptor that lists what is served has no disagreement`() {
        descriptor.disagreements(setOf("/suspendIO", "/cpuCoop", "/noop", "/cpu1")).shouldBeEmpty()
    }

    @Test
    fun `a route on one side only is named, with the side that lacks it`() {
        descriptor.disagreements(setOf("/noop", "/planted", "/cpu1", "/cpuCoop")) shouldBe
            listOf("/planted is served but missing in subject.yaml", "/suspendIO stands in subject.yaml but is not served")
    }
}
