package bootdyno.subjects.work

import bootdyno.subjects.work.contract.Compiled
import bootdyno.subjects.work.contract.Work
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CompiledTest {
    @Test
    fun `work that was done a few times is not taken for optimized`() {
        waitBlocking(Delay(0))
        Compiled.byC2(Work.WAIT) shouldBe false
    }
}
