package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class VariantLimitsTest {
    private fun experiment(own: String) = """
        title: T
        limits: { cpus: 2, memory: 512 MiB }
        variants:
          a: { subject: { jar: a.jar } }
          b: { subject: { jar: a.jar }, limits: { $own } }
        workloads: { get: { get: / } }
        profiles: { load: { closed: 5 } }
    """

    @Test
    fun `a variant may have limits of its own, and has the experiment's where it says nothing`() {
        val plan = readTwice(experiment("cpus: 1"))
        plan.cells.map { it.limits } shouldContainExactly listOf(
            Limits(2.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING),
            Limits(1.0, Bytes(512 * Bytes.MIB), CpuBy.PINNING),
        )
        plan.widestLimits.cpus shouldBe 2.0
        sound(experiment("cpus: unlimited, memory: 1 GiB")).run {
            cells.last().limits shouldBe Limits(null, Bytes(Bytes.GIB), CpuBy.PINNING)
            widestLimits.cpus shouldBe null
        }
    }

    @Test
    fun `what the experiment limits is not limited where a server already runs, but the load engine leaves room for it`() {
        val started = experiment("cpus: 1").replace(", limits: { cpus: 1 }", "")
        val plan = sound(started.replace("jar: a.jar", "url: \"http://127.0.0.1:1\""))
        plan.cells.map { it.limits }.distinct() shouldContainExactly listOf(Limits(null, null, CpuBy.PINNING))
        plan.widestLimits.cpus shouldBe 2.0
    }
}
