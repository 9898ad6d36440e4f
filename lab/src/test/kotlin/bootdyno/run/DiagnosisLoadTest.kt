package bootdyno.run

import bootdyno.engine.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch

class DiagnosisLoadTest {
    private val never = CountDownLatch(1)

    /** A load that goes on until it is stopped. */
    private fun endless(): Nothing {
        never.await()
        error("it was not stopped")
    }

    @Test
    fun `a load that is stopped has ended without a failure, and nothing is known of requests in flight`() {
        val load = DiagnosisLoad(::endless)
        load.start()
        load.stop()
        load.await() shouldBe DiagnosisLoad.Ended(failure = null, leftAfter = null)
    }

    @Test
    fun `a load that fails says why`() {
        val load = DiagnosisLoad { throw EngineFailed("the engine is gone") }
        load.start()
        load.await().failure shouldBe "the engine is gone"
    }

    @Test
    fun `a defect in the load is not lost`() {
        val load = DiagnosisLoad { error("a defect") }
        load.start()
        shouldThrow<IllegalStateException> { load.await() }.message shouldBe "a defect"
    }

    @Test
    fun `whoever is interrupted meanwhile stops the load`() {
        val load = DiagnosisLoad(::endless)
        load.start()
        shouldThrow<InterruptedException> { load.during { throw InterruptedException() } }
        load.await() shouldBe DiagnosisLoad.Ended(failure = null, leftAfter = null)
    }
}
