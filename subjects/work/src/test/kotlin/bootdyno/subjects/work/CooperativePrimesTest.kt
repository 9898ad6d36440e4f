package bootdyno.subjects.work

import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Test
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

class CooperativePrimesTest {
    private val thread = ManualThread()

    @Test
    fun `the list and the sum are those of the work that never gives way`() = runBlocking {
        listOf(0, 1, 2, 100, 1000, 10_000).forEach { limit ->
            listOf(1, 7, 1000, 100_000).forEach { batch ->
                primesUpToCooperatively(Limit(limit), Batch(batch)) shouldBe primesUpTo(Limit(limit))
                sumOfPrimesCooperatively(Limit(limit), Batch(batch)) shouldBe sumOfPrimes(Limit(limit))
            }
        }
    }

    @Test
    fun `it gives way after each whole batch`() {
        fun yields(limit: Int, batch: Int): Int {
            val thread = ManualThread()
            CoroutineScope(thread).launch { primesUpToCooperatively(Limit(limit), Batch(batch)) }
            thread.runAll()
            return thread.dispatches - 1 // the first one starts the coroutine
        }
        yields(limit = 0, batch = 1) shouldBe 0
        yields(limit = 10, batch = 11) shouldBe 0
        yields(limit = 10, batch = 10) shouldBe 1
        yields(limit = 10, batch = 3) shouldBe 3
        yields(limit = 10, batch = 1) shouldBe 10
        yields(limit = 300_000, batch = 1000) shouldBe 300
    }

    @Test
    fun `on a dispatcher with a queue a short request is answered before a long one that began earlier`() {
        val answered = mutableListOf<String>()
        listOf("long" to 10_000, "short" to 2000).forEach { (name, limit) ->
            CoroutineScope(thread).launch {
                sumOfPrimesCooperatively(Limit(limit), Batch(1000))
                answered += name
            }
        }
        thread.runAll()

        answered shouldBe listOf("short", "long")
    }

    /** Spring's own way to call a suspend function, `Dispatchers.Unconfined`, on a thread that has a second request to serve. */
    @Test
    fun `on Dispatchers Unconfined it gives way to nobody, and the short request waits`() {
        val answered = mutableListOf<String>()
        listOf("long" to 10_000, "short" to 2000).forEach { (name, limit) ->
            thread.dispatch(EmptyCoroutineContext) {
                CoroutineScope(Dispatchers.Unconfined).launch {
                    sumOfPrimesCooperatively(Limit(limit), Batch(1000))
                    answered += name
                }
            }
        }
        thread.runAll()

        answered shouldBe listOf("long", "short")
        thread.dispatches shouldBe 2
    }

    /** A thread with a queue, run by hand; it counts what was put into the queue. */
    private class ManualThread : CoroutineDispatcher() {
        private val queue = ArrayDeque<Runnable>()
        var dispatches = 0
            private set

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            dispatches++
            queue += block
        }

        fun runAll() {
            while (queue.isNotEmpty()) queue.removeFirst().run()
        }
    }
}
