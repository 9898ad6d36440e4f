package bootdyno.model

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class ServiceTest {
    private val slow = Service(Variant("slow", "downstream"), Subject("downstream", Origin.Jar("/downstream.jar")))
    private val addresses = slow.placeholders.zip(listOf("http://127.0.0.1:7", "127.0.0.1", "7")).toMap()

    private fun cell(variant: Variant, origin: Origin = Origin.Jar("/app.jar")) = Cell(
        id = CellId("a/x"),
        variant = variant,
        subject = Subject("app", origin),
        workload = Workload("x", listOf(Step("x", path = "/x?who={slow}"))),
        profile = NamedProfile("one", LoadProfile.Closed(1), 1.seconds, 1.seconds),
        limits = Limits(null, null, CpuBy.PINNING),
    )

    @Test
    fun `addresses are written into settings, environment, flags and the words of a command`() {
        val variant = Variant("a", "app", mapOf("url" to "{slow}/v1"), listOf("-Dp={slow.port}"), mapOf("HOST" to "{slow.host}"))
        val filled = cell(variant, Origin.Command(listOf("./app", "{port}", "--slow={slow}"))).reaching(addresses)
        filled.variant shouldBe
            Variant("a", "app", mapOf("url" to "http://127.0.0.1:7/v1"), listOf("-Dp=7"), mapOf("HOST" to "127.0.0.1"))
        filled.subject.origin shouldBe Origin.Command(listOf("./app", "{port}", "--slow=http://127.0.0.1:7"))
        filled.workload.steps.single().path shouldBe "/x?who={slow}"
    }

    @Test
    fun `a variant mentions a service by any word that stands for its address`() {
        fun mentions(variant: Variant, origin: Origin = Origin.Jar("/app.jar")) =
            slow.isMentionedBy(variant, Subject("app", origin))
        mentions(Variant("a", "app")) shouldBe false
        mentions(Variant("a", "app", mapOf("x" to "slow {slower}"))) shouldBe false
        mentions(Variant("a", "app", mapOf("x" to "{slow}"))) shouldBe true
        mentions(Variant("a", "app", jvm = listOf("-Dx={slow.port}"))) shouldBe true
        mentions(Variant("a", "app", environment = mapOf("X" to "{slow.host}"))) shouldBe true
        mentions(Variant("a", "app"), Origin.Command(listOf("./app", "{slow}"))) shouldBe true
    }
}
