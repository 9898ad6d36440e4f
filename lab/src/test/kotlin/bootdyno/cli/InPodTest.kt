package bootdyno.cli

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class InPodTest {
    private val pod = InPod("node-b", cpus = 2)

    @Test
    fun `a pod with CPUs of its own keeps them`() {
        pod.confinement(available = listOf(4, 5), onNode = 8).run {
            cpus shouldBe listOf(4, 5)
            sentence shouldBe "This pod has CPUs of its own on node-b: 4-5."
            warning shouldBe null
        }
    }

    @Test
    fun `a pod without CPUs of its own uses as many as it may, and its run warns`() {
        pod.confinement(available = (0..7).toList(), onNode = 8).run {
            cpus shouldBe listOf(6, 7)
            sentence shouldBe "This pod has no CPUs of its own on node-b; it uses CPUs 6-7."
            warning.orEmpty() shouldContain "static CPU manager"
        }
        pod.confinement(available = listOf(0, 1), onNode = 2).warning.orEmpty() shouldContain "on node-b had no CPUs of its own"
    }

    @Test
    fun `the environment of a pod names its node and its CPUs`() {
        InPod.found(emptyMap()) shouldBe null
        InPod.found(mapOf("BOOT_DYNO_NODE" to "node-b", "BOOT_DYNO_CPUS" to "2"))?.node shouldBe "node-b"
    }
}
