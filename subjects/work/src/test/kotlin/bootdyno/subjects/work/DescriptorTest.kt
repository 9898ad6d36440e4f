package bootdyno.subjects.work

import bootdyno.subjects.work.contract.DescribedStyle
import bootdyno.subjects.work.contract.Descriptor
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
                ),
            )
        descriptor.styles.map { it.waits } shouldBe listOf(false, true)
    }

    @Test
    fun `a descriptor that lists what is served has no disagreement`() {
        descriptor.disagreements(setOf("/suspendIO", "/noop")).shouldBeEmpty()
    }

    @Test
    fun `a route on one side only is named, with the side that lacks it`() {
        descriptor.disagreements(setOf("/noop", "/planted")) shouldBe
            listOf(
                "/planted is served but missing in subject.yaml",
                "/suspendIO stands in subject.yaml but is not served",
            )
    }
}
