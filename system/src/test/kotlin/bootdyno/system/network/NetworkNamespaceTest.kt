package bootdyno.system.network

import bootdyno.system.bootMark
import bootdyno.system.ledger.Ledger
import bootdyno.system.runShortly
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit
import kotlin.time.measureTime

class NetworkNamespaceTest {
    private val name = "dyno-test-${ProcessHandle.current().pid()}-n"
    private val namespace = NetworkNamespace(name, "10.214.0.1", "10.214.0.2")

    @AfterEach
    fun remove() {
        removeNamespace(name)
    }

    private fun supposePossible(whyNot: String?) {
        if (whyNot != null) println("Not tested here: $whyNot.")
        assumeTrue(whyNot == null, whyNot)
    }

    /** Whole milliseconds of one round trip of a TCP connection from inside. */
    private fun connectMillis(): Long {
        // Nothing listens: the kernel refuses at once.
        val inside = namespace.inside(listOf("bash", "-c", "exec 3<>/dev/tcp/10.214.0.1/9"))
        return measureTime {
            runShortly(inside).shouldNotBeNull().output shouldContain "refused"
        }.toLong(DurationUnit.MILLISECONDS)
    }

    @Test
    fun `commands inside reach this side only by the cable, and nothing is left afterwards`() {
        supposePossible(whyNoNamespace())
        namespace.make()
        runShortly(namespace.inside(listOf("ip", "-brief", "address"))).shouldNotBeNull().output shouldContain "10.214.0.2/30"
        connectMillis()
        namespace.treat(PacketTreatment(Duration.ZERO, Duration.ZERO, 0.0))
        removeNamespace(name) shouldBe true
        namespaceExists(name) shouldBe false
        removeNamespace(name) shouldBe true
        runShortly(listOf("ip", "-brief", "address")).shouldNotBeNull().output.contains("10.214.0.1") shouldBe false
    }

    @Test
    fun `packets are delayed in each direction`() {
        supposePossible(whyNoNetem())
        namespace.make()
        namespace.treat(PacketTreatment(20.milliseconds, Duration.ZERO, 0.0))
        connectMillis().toInt() shouldBeGreaterThan 39
        runShortly(listOf("tc", "-n", name, "qdisc")).shouldNotBeNull().output shouldContain "delay 20ms"
        namespace.treat(PacketTreatment(20.milliseconds, 1.milliseconds, 0.001))
        runShortly(listOf("tc", "-n", name, "qdisc")).shouldNotBeNull().output shouldContain "loss 0.1%"
    }

    @Test
    fun `what tc is told has a unit, and jitter has a delay that it varies`() {
        PacketTreatment(1500.milliseconds, Duration.ZERO, 0.0).words shouldContainExactly listOf("delay", "1500000us")
        PacketTreatment(Duration.ZERO, 1.seconds, 0.000015).words shouldContainExactly
            listOf("delay", "0us", "1000000us", "loss", "0.001500%")
        PacketTreatment(Duration.ZERO, Duration.ZERO, 0.0).isNone shouldBe true
    }

    @Test
    fun `the next process removes the namespace of one that was killed, and no other`(@TempDir folder: Path) {
        supposePossible(whyNoNamespace())
        val dead = ProcessBuilder("true").start().also { it.waitFor() }.pid()
        val foreign = "test-$dead-n"
        namespace.make()
        runShortly(listOf("ip", "netns", "add", foreign)).shouldNotBeNull().succeeded shouldBe true
        try {
            folder.resolve("$dead.ledger").writeText(
                "owner $dead ticks:1 ${bootMark()}\nnamespace $name\nnamespace $foreign\nnamespace dyno-never-made\n",
            )
            Ledger(folder).cleanUpAfterTheDead() shouldContainExactly
                listOf("Removed the network namespace $name, left behind by Boot Dyno $dead.")
            namespaceExists(name) shouldBe false
            namespaceExists(foreign) shouldBe true
        } finally {
            removeNamespace(foreign)
        }
    }
}
