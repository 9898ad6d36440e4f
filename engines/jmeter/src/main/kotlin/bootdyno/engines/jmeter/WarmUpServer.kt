package bootdyno.engines.jmeter

import bootdyno.engine.TruthServer
import bootdyno.engine.answerBytes
import kotlin.time.Duration

/**
 * A private server that JMeter asks for [length] before the subject: cold, it makes a fifth of the load it can, and stamps its
 * own compiling into the latencies.
 */
internal class WarmUpServer private constructor(val length: Duration, private val server: TruthServer) : AutoCloseable {
    val port: Int get() = server.port

    override fun close() {
        server.close()
    }

    companion object {
        const val BODY = """{"warm":1}"""

        /** Its reason phrase is what JMeter takes for a transaction's sum, and leaves out of its own figures. */
        private val ANSWER =
            "HTTP/1.1 200 ${TransactionRows.PREFIX} : 0\r\nContent-Length: ${BODY.length}\r\n\r\n$BODY"

        fun start(length: Duration): WarmUpServer {
            val answer = answerBytes(ANSWER)
            return WarmUpServer(length, TruthServer.start { it.answer(answer) })
        }
    }
}
