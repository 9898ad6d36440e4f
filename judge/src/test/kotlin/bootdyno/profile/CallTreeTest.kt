package bootdyno.profile

import bootdyno.model.Frame
import bootdyno.model.StackTable
import bootdyno.model.StackWeight
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.doubles.plusOrMinus
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CallTreeTest {
    private fun sample(stack: String, weight: Int) = StackSample(stack.split(';').map(Frame::parse), weight.toDouble())

    @Test
    fun `samples lose their lines and start with the outermost call`() {
        val table = StackTable(
            listOf("a.B.inner(B.kt:7)", "app//a.B.outer(B.kt:1)", "a.B.inner(B.kt:9)", "rarer stacks"),
            listOf(listOf(0, 1), listOf(2, 1), listOf(3)),
        )
        val weights = listOf(StackWeight(0, 3.0), StackWeight(1, 2.0), StackWeight(2, 1.0))
        samples(weights, table) shouldBe listOf(
            sample("a.B.outer;a.B.inner", 3),
            sample("a.B.outer;a.B.inner", 2),
            sample("rarer stacks", 1),
        )
    }

    @Test
    fun `calls that only start a thread are left out, whichever kind of thread it is`() {
        val platform =
            "java.lang.Thread.run;java.lang.Thread.runWith;org.apache.tomcat.util.threads.TaskThread\$WrappingRunnable.run;" +
                "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker;"
        val virtual = "jdk.internal.vm.Continuation.enterSpecial;jdk.internal.vm.Continuation.enter;java.lang.VirtualThread.run;"
        val forked = "java.util.concurrent.ForkJoinWorkerThread.run;java.util.concurrent.ForkJoinPool.topLevelExec;"
        listOf(platform, virtual, forked).forEach {
            started("${it}a.Socket.run;a.B.execute;java.lang.Thread.sleep") shouldBe
                sample("a.Socket.run;a.B.execute;java.lang.Thread.sleep", 1)
        }
        started("java.lang.Thread.run;java.util.concurrent.ThreadPoolExecutor.runWorker") shouldBe
            sample("java.util.concurrent.ThreadPoolExecutor.runWorker", 1)
    }

    private fun started(stack: String): StackSample {
        val frames = stack.split(';').asReversed()
        return samples(listOf(StackWeight(0, 1.0)), StackTable(frames, listOf(frames.indices.toList()))).single()
    }

    @Test
    fun `stacks with the same beginning share their callers, and the widest call is first`() {
        val tree = callTree(listOf(sample("a;b", 1), sample("a;c;b", 5), sample("a", 2), sample("d", 2)))
        tree shouldBe listOf(
            Call(
                Frame("", "a"),
                0.8,
                calls = listOf(Call(Frame("", "c"), 0.5, calls = listOf(Call(Frame("", "b"), 0.5))), Call(Frame("", "b"), 0.1)),
            ),
            Call(Frame("", "d"), 0.2),
        )
    }

    @Test
    fun `one sample in a thousand is left out, with its calls, and shares remain of all`() {
        callTree(listOf(sample("a;b", 998), sample("a;c;d", 1), sample("e", 1))) shouldBe
            listOf(Call(Frame("", "a"), 0.999, calls = listOf(Call(Frame("", "b"), 0.998))))
    }

    /** Of 1,000 samples each: 300 and 100 differ by far more than three errors (0.054), 50 and 40 do not (0.028). */
    @Test
    fun `two profiles have one tree, with both shares, and a change only where it exceeds chance`() {
        val tree = callTree(
            listOf(sample("a;more", 300), sample("a;same", 50), sample("new", 650)),
            listOf(sample("a;more", 100), sample("a;same", 40), sample("gone", 860)),
        )
        tree.map { it.method.method } shouldBe listOf("gone", "new", "a")
        tree.map { it.compared?.change } shouldBe listOf(-1.0, 1.0, (0.35 - 0.14) / (0.35 + 0.14))
        tree.last().calls.map { it.method.method to it.compared?.change } shouldBe
            listOf("more" to (0.3 - 0.1) / (0.3 + 0.1), "same" to 0.0)
        tree.sumOf { it.width } shouldBe (1.0 plusOrMinus 1e-9)
    }

    @Test
    fun `profiles of different length with the same shares do not differ`() {
        val tree = callTree(listOf(sample("a", 900), sample("b", 100)), listOf(sample("a", 90), sample("b", 10)))
        tree.map { it.compared } shouldBe listOf(ComparedCall(0.9, 0.0), ComparedCall(0.1, 0.0))
    }

    @Test
    fun `a method that calls itself counts once per stack`() {
        methodShares(listOf(sample("a;b;b;b", 3), sample("a", 1))) shouldContainExactlyInAnyOrder
            listOf(MethodShares(Frame("", "a"), 0.25, 1.0), MethodShares(Frame("", "b"), 0.75, 0.75))
    }

    @Test
    fun `nothing sampled is no tree`() {
        callTree(emptyList()) shouldBe emptyList()
        methodShares(emptyList()) shouldBe emptyList()
    }
}
