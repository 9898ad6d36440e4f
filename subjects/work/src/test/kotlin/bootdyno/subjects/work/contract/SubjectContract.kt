package bootdyno.subjects.work.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.doubles.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.TestInstance
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

/** A subject that was started on a free port, inside the JVM of the test. */
interface RunningSubject {
    val port: Int

    /** The paths of its own handlers, as its framework knows them. */
    val routes: Set<String>

    fun stop()
}

/**
 * What every subject keeps, in every mode: it serves what its `subject.yaml` lists, each style answers with its own name
 * after the wait it was asked for, and waits on the threads the descriptor says it occupies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SubjectContract(private val requestThread: ThreadFamily) {
    private val descriptor = Descriptor.read(Path.of("subject.yaml"))
    private val subject by lazy { start() }
    private val caller by lazy { Caller(subject.port) }
    private val waiting get() = descriptor.styles.filter { it.waits }

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
    fun `each style answers with its own name as plain text`(): List<DynamicTest> = descriptor.styles.map { style ->
        dynamicTest(style.path) {
            val answer = caller.ask("${style.path}?ms=50")
            answer.body shouldBe style.answer
            answer.status shouldBe 200
            answer.contentType shouldBe "text/plain"
            if (style.waits) answer.tookMs shouldBeGreaterThanOrEqual 50.0
        }
    }

    @Test
    fun `each style that waits does so for 500 ms when not told how long`() {
        val answers = waiting.map { it to caller.askLater(it.path) }
        answers.forEach { (style, answer) ->
            withClue(style.path) {
                answer.join().status shouldBe 200
                answer.join().tookMs shouldBeGreaterThanOrEqual 500.0
            }
        }
    }

    @TestFactory
    fun `each style waits on the threads it is said to occupy`(): List<DynamicTest> = waiting.map { style ->
        dynamicTest("${style.path} on ${style.occupies}") {
            val family = ThreadFamily.named(style.occupies, requestThread)
            val thread = threadThatWaitsFor(style.path)
            withClue(thread) {
                thread.name shouldStartWith family.prefix
                thread.virtual shouldBe family.virtual
            }
        }
    }

    @TestFactory
    fun `a wait that is no number of milliseconds is refused`(): List<DynamicTest> = waiting.map { style ->
        dynamicTest(style.path) {
            listOf("-1", "1.5", "soon").associateWith { caller.ask("${style.path}?ms=$it").status } shouldBe
                mapOf("-1" to 400, "1.5" to 400, "soon" to 400)
        }
    }

    /** Asks and looks until a thread was seen in the wait; a wait that ended unseen (a very slow machine) is asked for again. */
    private fun threadThatWaitsFor(path: String): WaitingThread {
        val deadline = Monotonic.markNow() + 20.seconds
        while (deadline.hasNotPassedNow()) {
            val answer = caller.askLater("$path?ms=200")
            while (!answer.isDone) {
                val seen = ThreadDump.threadsInTheWait()
                if (seen.isNotEmpty()) {
                    answer.join()
                    return seen.single()
                }
            }
            check(answer.join().status == 200) { "$path answered ${answer.join().status}" }
        }
        error("no thread was seen waiting for $path within 20 s")
    }
}
