package bootdyno.launch.docker

import bootdyno.system.ChildOutput
import bootdyno.system.kill
import bootdyno.system.ledger.Ledger

/** What a container prints. [process] follows it, and ends when the container has ended and all is written down. */
internal class ContainerLog(private val process: Process, private val output: ChildOutput, private val ledger: Ledger) :
    AutoCloseable {
    fun lastLines(n: Int): List<String> = output.lastLines(n)

    /** Waits, not for long, until all of an ended container's output is here. */
    fun awaitEnd() = output.awaitEnd()

    override fun close() {
        output.awaitEnd()
        process.kill()
        output.close()
        ledger.forgetChild(process.pid())
    }
}
