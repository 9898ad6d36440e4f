package bootdyno.subjects.work.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import java.nio.file.Path

/** A subject that was started on a free port, inside the JVM of the test. */
interface RunningSubject {
    val port: Int

    /** The paths of its own handlers, as its framework knows them. */
    val routes: Set<String>

    /** The port of the slow server it calls, which waits exactly the mean it is asked for. */
    val downstreamPort: Int

    /** Ends the slow server with every call under way, and starts it again on the same port. */
    fun restartDownstream()

    /** Stops the slow server too. */
    fun stop()
}

/** What the parts of the contract ask: every style of the subject, and the subject itself. */
interface ContractPart {
    val styles: List<DescribedStyle>
    val caller: Caller

    /** The slow server of that subject. */
    val downstream: Caller

    /** Breaks every call that is under way. */
    fun restartDownstream()

    /** Calls that are under way at once when more are asked for: a size of the subject's, not of its client's pool. */
    val callsAtOnce: Int
}

/**
 * What every subject keeps, in every mode: it serves what its `subject.yaml` lists, each style answers with its own name
 * after the work it was asked for, and works on the threads the descriptor says it occupies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SubjectContract(private val requestThread: ThreadFamily, override val callsAtOnce: Int) :
    WaitContract,
    CpuContract,
    CallContract {
    private val descriptor = Descriptor.read(Path.of("subject.yaml"))
    private val subject by lazy { start() }
    override val styles get() = descriptor.styles
    override val caller by lazy { Caller(subject.port) }
    override val downstream by lazy { Caller(subject.downstreamPort) }

    protected abstract fun start(): RunningSubject

    override fun restartDownstream() = subject.restartDownstream()

    @AfterAll
    fun stop() = subject.stop()

    @Test
    fun `the descriptor lists exactly the routes the application serves`() {
        descriptor.disagreements(subject.routes).shouldBeEmpty()
    }

    @Test
    fun `the ready path answers`() {
        caller.ask(descriptor.ready).status shouldBe 200
    }

    @TestFactory
    fun `each style answers with its own name as plain text`(): List<DynamicTest> = styles.filter {
        it.work != Work.CALL
    }.map { style ->
        dynamicTest(style.path) {
            val answer = caller.ask("${style.path}?ms=50")
            val name = if (style.computes) answer.body.substringBefore(' ') else answer.body
            name shouldBe style.answer
            answer.status shouldBe 200
            answer.contentType shouldBe "text/plain"
        }
    }

    @TestFactory
    fun `each style works on the threads it is said to occupy`(): List<DynamicTest> = styles.filter {
        it.holdsThread
    }.mapNotNull { style ->
        style.work?.let { work ->
            dynamicTest("${style.path} on ${style.occupies}") {
                val family = ThreadFamily.named(style.occupies, requestThread)
                caller.threadsSeenIn(work, style.path + work.longEnoughToSee).forEach { thread ->
                    withClue(thread) {
                        thread.name shouldStartWith family.prefix
                        thread.virtual shouldBe family.virtual
                    }
                }
            }
        }
    }
}
