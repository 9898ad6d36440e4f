package bootdyno.flags

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Change
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.Objective
import bootdyno.model.ObjectiveLimit
import bootdyno.model.Plan
import bootdyno.model.Prediction
import bootdyno.plan.Machine
import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.SWEPT
import bootdyno.plan.builtIn
import bootdyno.plan.planText
import bootdyno.plan.sound
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

class ConfirmingTest {
    private val quick = sound(builtIn("quick").orEmpty(), file = "quick.yaml")

    private fun prediction(change: Change) = Prediction(change, 1.5, 2.0, "Twice.", "2026-11-20T101500-quick")

    private fun confirmed(change: Change, plan: Plan = quick, cell: Cell = plan.cells.first()) =
        confirming(plan, cell, prediction(change), 2..5)

    private fun Plan.ids() = cells.map { it.id.text }

    @Test
    fun `a setting makes a second variant of the same cell`() {
        val plan = confirmed(Change.Setting("server.tomcat.threads.max", "400"))
        plan.ids() shouldBe listOf("tomcat/blockingIO", "tomcat+threads.max=400/blockingIO")
        plan.cells.map { it.variant.settings } shouldBe listOf(emptyMap(), mapOf("server.tomcat.threads.max" to "400"))
        plan.experiment.baseline?.text shouldBe "tomcat/blockingIO"
        plan.experiment.repetition.run { listOf(rounds, maxRounds) shouldBe listOf(2, 5) }
        plan.experiment.repetition.warmUp shouldBe quick.experiment.repetition.warmUp
        plan.experiment.run { claims.size + gates.size + published.size + latencyAt.size } shouldBe 0
        plan.prediction shouldBe prediction(Change.Setting("server.tomcat.threads.max", "400"))
        plan.experiment.name shouldBe "quick-confirm"
    }

    // Three rounds seldom confirm anything at usual noise, and two cells of a jar take more than a minute a round.
    @Test
    fun `the budget of the run that found a change does not end its confirmation before five rounds`() {
        fun budget(of: Duration): Duration {
            val short = quick.copy(experiment = quick.experiment.run { copy(repetition = repetition.copy(budget = of)) })
            return confirmed(Change.Connections(800), short).experiment.repetition.budget
        }
        budget(345.seconds) shouldBe 4.hours
        budget(12.hours) shouldBe 12.hours
    }

    // It is about the throughput of the windows; a search would take minutes in each trial.
    @Test
    fun `a prediction of a run that searched for its capacity is measured without a search`() {
        val objective = Objective(listOf(ObjectiveLimit(Measure.P99, 200.0)))
        val searching = quick.copy(experiment = quick.experiment.copy(capacity = objective))
        confirmed(Change.Connections(800), searching) shouldBe confirmed(Change.Connections(800))
    }

    @Test
    fun `the experiment file reads as the same plan, without the prediction`() {
        val changes = listOf(
            Change.Setting("server.tomcat.threads.max", "400"),
            Change.JvmFlag("-Xmx512m"),
            Change.EnvironmentVariable("A", "b c"),
            Change.Cpus(2.0),
            Change.Memory(Bytes(2 * Bytes.GIB)),
            Change.Connections(800),
        )
        for (change in changes) {
            for (plan in listOf(confirmed(change), confirmed(change, cell = quick.cells.last()))) {
                sound(planText(plan), file = "experiment.yaml") shouldBe plan.copy(prediction = null)
            }
        }
    }

    @Test
    fun `a cell of a sweep, a protocol and an engine keeps its own value of each`() {
        val swept = sound(SWEPT)
        for (cell in swept.cells) {
            val plan = confirmed(Change.Setting("a.b", "1"), swept, cell)
            sound(planText(plan), file = "experiment.yaml") shouldBe plan.copy(prediction = null)
            plan.cells.first().workload.parameters shouldBe cell.workload.parameters
            plan.cells.map { it.profile.load }.distinct() shouldBe listOf(cell.profile.load)
            plan.cells.mapNotNull { it.point }.shouldBeEmpty()
        }
        val cold = sound(SMALL, Overrides(protocols = bootdyno.model.MeasuringProtocol.entries))
        for (cell in cold.cells) {
            val plan = confirmed(Change.Connections(9), cold, cell)
            plan.cells.map { it.profile.protocol }.distinct() shouldBe listOf(cell.profile.protocol)
            plan.cells.map { it.profile.window }.distinct() shouldBe listOf(cell.profile.window)
        }
    }

    @Test
    fun `a JVM flag replaces the flags for the same thing`() {
        fun flags(before: List<String>, flag: String): List<String> {
            val cell = quick.cells.first().run { copy(variant = variant.copy(jvm = before)) }
            return confirmed(Change.JvmFlag(flag), cell = cell).cells.last().variant.jvm
        }
        flags(listOf("-Xmx256m", "-Dx=1"), "-Xmx512m") shouldBe listOf("-Dx=1", "-Xmx512m")
        flags(listOf("-XX:MaxHeapSize=256m"), "-Xmx512m") shouldBe listOf("-Xmx512m")
        flags(listOf("-XX:+UseSerialGC", "-XX:-UseSerialGC"), "-XX:+UseSerialGC") shouldBe listOf("-XX:+UseSerialGC")
        flags(listOf("-Da.b=1", "-Da.bc=2"), "-Da.b=3") shouldBe listOf("-Da.bc=2", "-Da.b=3")
        flags(listOf("--add-opens=a/b=ALL"), "--add-opens=c/d=ALL") shouldBe listOf("--add-opens=a/b=ALL", "--add-opens=c/d=ALL")
    }

    @Test
    fun `a property that is a setting is changed there, because settings come last`() {
        val cell = quick.cells.first().run { copy(variant = variant.copy(settings = mapOf("x.y" to "1"))) }
        confirmed(Change.JvmFlag("-Dx.y=2"), cell = cell).cells.last().variant.run {
            settings shouldBe mapOf("x.y" to "2")
            jvm.shouldBeEmpty()
        }
    }

    @Test
    fun `a setting replaces its other spellings`() {
        val cell = quick.cells.first().run {
            copy(
                variant = variant.copy(settings = mapOf("pool.maximumPoolSize" to "5", "a" to "b")),
            )
        }
        confirmed(Change.Setting("pool.maximum-pool-size", "20"), cell = cell).cells.last().variant.settings shouldBe
            mapOf("a" to "b", "pool.maximum-pool-size" to "20")
    }

    @Test
    fun `CPUs and memory are limits of the changed variant`() {
        val plan = confirmed(Change.Cpus(2.0))
        plan.cells.map { it.limits.cpus } shouldBe listOf(1.0, 2.0)
        plan.cells.map { it.limits.memory }.distinct() shouldBe listOf(Bytes(Bytes.GIB))
        plan.widestLimits shouldBe Limits(2.0, Bytes(Bytes.GIB), CpuBy.PINNING)
        plan.ids().last() shouldBe "tomcat+cpus=2/blockingIO"
        confirmed(Change.Memory(Bytes(2 * Bytes.GIB))).cells.map { it.limits.memory?.count } shouldBe
            listOf(Bytes.GIB, 2 * Bytes.GIB)
    }

    @Test
    fun `connections are a second profile of the same variant`() {
        val plan = confirmed(Change.Connections(800))
        plan.ids() shouldBe listOf("tomcat/blockingIO@saturate", "tomcat/blockingIO@saturate-800")
        plan.cells.map { it.profile.load } shouldBe listOf(LoadProfile.Closed(400), LoadProfile.Closed(800))
    }

    @Test
    fun `a further step starts from the changed cell and its name does not grow`() {
        val first = confirmed(Change.Setting("server.tomcat.threads.max", "400"))
        val second = confirmed(Change.Setting("server.tomcat.threads.max", "800"), first, first.cells.last())
        second.ids() shouldBe listOf("tomcat+threads.max=400/blockingIO", "tomcat+threads.max=800/blockingIO")
        val third = confirmed(Change.Cpus(2.0), second, second.cells.last())
        third.ids().last() shouldBe "tomcat+threads.max=800+cpus=2/blockingIO"
        third.experiment.name shouldBe "quick-confirm"
        val loads = confirmed(Change.Connections(800))
        confirmed(Change.Connections(1600), loads, loads.cells.last()).ids() shouldBe
            listOf("tomcat/blockingIO@saturate-800", "tomcat/blockingIO@saturate-1600")
    }

    @Test
    fun `what cannot be changed from outside has a reason`() {
        val machine = Machine(2, Bytes(4 * Bytes.GIB))
        fun obstacle(subject: String, change: Change) = obstacle(
            sound(
                """
                title: T
                variants: { a: { subject: { $subject } } }
                workloads: { get: { get: / } }
                profiles: { load: { closed: 5 } }
                """,
            ).cells.single(),
            change,
            machine,
        )
        obstacle("jar: a.jar", Change.Setting("a", "b")).shouldBeNull()
        obstacle("jar: a.jar", Change.Cpus(2.0)) shouldBe
            "2 CPUs and one for the load generator are more than the 2 of this machine."
        obstacle("jar: a.jar", Change.Memory(Bytes(8 * Bytes.GIB))).orEmpty() shouldContain "8 GiB"
        obstacle("url: \"http://127.0.0.1:1/\"", Change.Setting("a", "b")).orEmpty() shouldContain "was not started"
        obstacle("url: \"http://127.0.0.1:1/\"", Change.Connections(10)).shouldBeNull()
        obstacle("command: [ ./run ]", Change.JvmFlag("-Xmx1g")).orEmpty() shouldContain "not passed on"
    }
}
