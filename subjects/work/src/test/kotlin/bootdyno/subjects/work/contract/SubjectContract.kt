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

    fun stop()
}

/** What the parts of the contract ask: every style of the subject, and the subject itself. */
interface ContractPart {
    val styles: List<DescribedStyle>
    val caller: Caller
}

/**
 * What every subject keeps, in every mode: it serves what its `subject.yaml` lists, each style answers with its own name
 * after the work it was asked for, and works on the threads the descriptor says it occupies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SubjectContract(private val requestThread: ThreadFamily) :
    WaitContract,
    CpuContract {
    private val descriptor = Descriptor.read(Path.of("subject.yaml"))
    private val subject by lazy { start() }
    override val styles get() = descriptor.styles
    override val caller by lazy { Caller(subject.port) }

    protected abstract fun start(): RunningSubject

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
    fun `each style answers with its own name as plain text`(): List<DynamicTest> = styles.map { style ->
        dynamicTest(style.path) {
            val answer = caller.ask("${style.path}?ms=50")
            val name = if (style.computes) answer.body.substringBefore(' ') else answer.body
            name shouldBe style.answer
            answer.status shouldBe 200
            answer.contentType shouldBe "text/plain"
        }
    }

    @TestFactory
    fun `each style works on the threads it is said to occupy`(): List<DynamicTest> = styles.mapNotNull { style ->
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
