package bootdyno.explain

import bootdyno.analyse.recorded
import bootdyno.model.ErrorCause
import bootdyno.model.Occupied
import bootdyno.model.Stack
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import bootdyno.occupancy.ASLEEP
import bootdyno.occupancy.PARKED
import bootdyno.occupancy.TOMCAT
import bootdyno.occupancy.diagnosis
import bootdyno.occupancy.own
import bootdyno.occupancy.platform
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class FailingTest {
    private val blocking = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)

    private fun TrialFacts.with(errors: Map<ErrorCause, Long>, inFlight: Long = 0) =
        recorded { copy(load = load?.copy(errors = errors, inFlight = inFlight)) }

    private fun failing(answered: Long, errors: Map<ErrorCause, Long>, inFlight: Long = 0, cpus: Double = 0.2) =
        explained(blocking, Measured(answered / 10.0, 1000.0, cpus = cpus).trial(blocking).with(errors, inFlight))

    @Test
    fun `where no request succeeded the answers that came instead are named, the most frequent first`() {
        val explanation =
            failing(0, mapOf(ErrorCause.RESET to 3, ErrorCause.STATUS to 12_000, ErrorCause.BODY to 0), inFlight = 7)

        explanation.missing shouldBe
            "No request succeeded: 12,000 unexpected status, 3 connection reset, 7 without a response. See the log of the application."
        explanation.bottleneck.shouldBeNull()
        explanation.next.shouldBeNull()
    }

    @Test
    fun `the status, the rate above which it refuses, and the log's commonest error are named`() {
        val trial = Measured(500.0, meanMs = 10.0, cpus = 0.2).trial(blocking).with(mapOf(ErrorCause.STATUS to 228_184))
            .recorded {
                val subject = SubjectFound(1, emptyList(), null, null, null, null, errorLogged = "too fast")
                copy(subject = subject, load = load?.copy(failures = mapOf("status 429" to 228_184)))
            }
        explained(blocking, trial).missing shouldBe
            "98 % of the requests failed: 228,184 unexpected status: status 429. " +
            "The application serves 500/s and refuses what exceeds it with status 429. Its log says most often: too fast"
    }

    @Test
    fun `a busy CPU that answers with errors only is not called the limit`() {
        failing(0, mapOf(ErrorCause.STATUS to 12_000), cpus = 1.0).bottleneck.shouldBeNull()
    }

    @Test
    fun `where nearly all requests failed their share is named and never rounded to all`() {
        failing(1, mapOf(ErrorCause.REFUSED to 100_000)).missing.shouldNotBeNull() shouldContain
            "More than 99 % of the requests failed: 100,000 connection refused"
        failing(50, mapOf(ErrorCause.STATUS to 950)).missing.shouldNotBeNull() shouldContain "95 % of the requests failed"
        failing(50, mapOf(ErrorCause.TIMEOUT to 950)).missing.shouldNotBeNull() shouldContain "950 response timeout"
    }

    @Test
    fun `a pool is full also where its few successful requests seem to hold it for long`() {
        val threads = diagnosis {
            listOf(
                platform(190, "${PARKED}com.zaxxer.hikari.util.ConcurrentBag.borrow(A.java:1)${own("Orders.find", 42)}$TOMCAT"),
                platform(10, "$ASLEEP${own("Orders.find", 43)}$TOMCAT", "TIMED_WAITING"),
            )
        }.copy(aloneRequests = List(3) { 0.1 })
        val trial = Measured(10.0, meanMs = 1000.0, cpus = 0.2).trial(blocking).with(mapOf(ErrorCause.STATUS to 9_000))
        explained(blocking, trial.copy(diagnosis = threads)).bottleneck.shouldNotBeNull().limit.text shouldBe
            "10 HikariCP connections"
    }

    @Test
    fun `requests without any answer in the whole window are named`() {
        failing(0, emptyMap(), inFlight = 400).missing shouldBe
            "No request succeeded: 400 had no response when the window ended. See the log of the application."
    }

    @Test
    fun `a limit is named as before where most requests succeeded`() {
        val explanation = failing(3790, mapOf(ErrorCause.STATUS to 20))

        explanation.bottleneck.shouldNotBeNull().limit.text shouldBe "200 Tomcat threads"
    }
}
