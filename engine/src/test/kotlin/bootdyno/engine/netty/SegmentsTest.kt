package bootdyno.engine.netty

import bootdyno.engine.of
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class SegmentsTest {
    /** The first lines that matter, from Linux 6.1. */
    private val snmp = """
        Ip: Forwarding DefaultTTL InReceives
        Ip: 1 64 9
        Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
        Tcp: 1 200 120000 -1 7 6 5 4 3 1000 2000 10 0 1 0
        Udp: InDatagrams NoPorts
        Udp: 1 2
    """.trimIndent()

    @Test
    fun `segments that were sent again are counted beside the first ones`() {
        val segments = Segments.of(snmp).shouldNotBeNull()
        segments.all shouldBe 2010
        segments.again shouldBe 10
        val since = Segments(2500, 15).since(segments)
        since.all shouldBe 490
        since.again shouldBe 5
    }

    @Test
    fun `a kernel that says something else is not guessed at`() {
        Segments.of("") shouldBe null
        Segments.of("Tcp: OutSegs\nTcp: 5") shouldBe null
        Segments.of("Tcp: OutSegs RetransSegs\nTcp: many 5") shouldBe null
    }
}
