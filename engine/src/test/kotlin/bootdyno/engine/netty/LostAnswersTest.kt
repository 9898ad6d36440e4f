package bootdyno.engine.netty

import bootdyno.engine.DriveSecond
import bootdyno.engine.LoadSecond
import bootdyno.engine.nanoHistogram
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class LostAnswersTest {
    private val drain = LostAnswers()

    private fun areLeft(second: Int, answered: Long, inFlight: Long, vararg tookSeconds: Int) = drain.areLeft(
        DriveSecond(
            LoadSecond(second.toDouble(), inWindow = false, answered, errors = 0, inFlight, p99Ms = null, p50Ms = null),
            nanoHistogram().apply { tookSeconds.forEach { recordValue(it * SECOND) } },
        ),
        1 + second * SECOND,
    )

    @Test
    fun `the last request of a drain is given up when nothing has ended for ten seconds`() {
        areLeft(1, answered = 900, inFlight = 400, 1) shouldBe false
        areLeft(2, answered = 1299, inFlight = 1) shouldBe false
        areLeft(12, answered = 1299, inFlight = 1) shouldBe false
        areLeft(13, answered = 1299, inFlight = 1) shouldBe true
    }

    @Test
    fun `requests of a slow application are awaited, for twice as long as the slowest took`() {
        areLeft(1, answered = 10, inFlight = 20, 1) shouldBe false
        areLeft(9, answered = 29, inFlight = 1, 8) shouldBe false
        areLeft(25, answered = 29, inFlight = 1) shouldBe false
        areLeft(26, answered = 29, inFlight = 1) shouldBe true
    }

    @Test
    fun `an application that answers nobody is awaited`() {
        areLeft(1, answered = 0, inFlight = 1) shouldBe false
        areLeft(50, answered = 0, inFlight = 1) shouldBe false
    }

    private companion object {
        const val SECOND = 1_000_000_000L
    }
}
