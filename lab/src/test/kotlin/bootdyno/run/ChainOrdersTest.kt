package bootdyno.run

import bootdyno.model.DataFile
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import bootdyno.model.ThinkTime
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class ChainOrdersTest {
    @Test
    fun `open load of a mix begins as many requests as it is asked for`() {
        val mix = chain.copy(workload = chain.workload.copy(mix = true))
        val order = openOrder(mix, base, 100.0, 1)
        (order.load as LoadProfile.Open).perSecond shouldBe 100.0
        order.mix shouldBe true
    }

    @Test
    fun `users think in the window and its diagnosis, but not in open load, and few clients without it warm up`() {
        val thinking = smallCell().let { cell ->
            cell.copy(
                workload = cell.workload.copy(think = ThinkTime.Exponential(1.seconds)),
                profile = cell.profile.copy(load = LoadProfile.Closed(5_000)),
            )
        }
        windowOrder(thinking, base, Duration.ZERO, 1).think shouldBe ThinkTime.Exponential(1.seconds)
        diagnosisOrder(thinking, base, 7.seconds, 1.seconds, 1).think shouldBe ThinkTime.Exponential(1.seconds)
        openOrder(thinking, base, 100.0, 1).think shouldBe null
        val warmUp = warmUpOrder(thinking, base, 1.seconds, cheap = true, 1)
        warmUp.think shouldBe null
        warmUp.load shouldBe LoadProfile.Closed(100)
    }

    private val base = URI.create("http://127.0.0.1:81/app/")

    private val chain = smallCell().let { cell ->
        cell.copy(
            workload = cell.workload.copy(
                parameters = mapOf("by" to "5"),
                warmUpParameters = mapOf("by" to "1"),
                steps = listOf(Step("create", "POST", "/p?by={by}", body = "{by} {name}"), Step("read", path = "/p/{id}")),
                data = DataFile("/data/names.csv", listOf("name"), 2),
            ),
        )
    }

    @Test
    fun `an order of a chain has its steps with parameters filled in, and the file of its data`() {
        val order = windowOrder(chain, base, Duration.ZERO, 1)
        order.steps shouldContainExactly
            listOf(Step("create", "POST", "/app/p?by=5", body = "5 {name}"), Step("read", path = "/app/p/{id}"))
        order.data shouldBe "/data/names.csv"
        warmUpOrder(chain, base, 1.seconds, cheap = true, 1).steps.first().path shouldBe "/app/p?by=1"
        warmUpOrder(chain, base, 1.seconds, cheap = false, 1).steps.first().path shouldBe "/app/p?by=5"
    }

    @Test
    fun `open load of so many requests begins as many chains as give them`() {
        (openOrder(chain, base, 100.0, 1).load as LoadProfile.Open).perSecond shouldBe 50.0
        val single = smallCell()
        (openOrder(single, base, 100.0, 1).load as LoadProfile.Open).perSecond shouldBe 100.0
        openOrder(single, base, 100.0, 1).steps.map { it.path } shouldContainExactly listOf("/app/wait")
    }
}
