package bootdyno.occupancy

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Frame

/** A thread is blocked by the JDK's method at index [frame] of its stack. */
internal data class Blocked(val how: How, val frame: Int)

/** [doing]: what its thread does. [kind]: what a thread that is [Doing.WAITING] waits for. */
internal enum class How(val doing: Doing, val kind: ResourceKind? = null) {
    SLEEP(Doing.SLEEPING),

    /** For the result or the end of another thread. */
    RESULT(Doing.AWAITING_RESULT),

    /** For an element of a queue or room in it, or by a condition. */
    CONDITION(Doing.WAITING, ResourceKind.POOL),
    SEMAPHORE(Doing.WAITING, ResourceKind.SEMAPHORE),
    LOCK(Doing.WAITING, ResourceKind.LOCK),
    NETWORK(Doing.NETWORK),

    /** For the address of a host. */
    LOOKUP(Doing.LOOKUP),
    FILE(Doing.FILE),
    ;

    /** For what comes from outside of the JVM, which calls such a thread runnable. */
    val isOutside: Boolean get() = this == NETWORK || this == LOOKUP || this == FILE
}

/** Methods in which a blocked thread stands, the innermost of its stack. */
private val BLOCKING = Prefixes(
    """
    jdk.internal.misc.Unsafe.park sun.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park java.lang.VirtualThread.
    jdk.internal.vm.Continuation.yield java.lang.Object.wait java.lang.Thread.sleep java.lang.Thread.join sun.nio.ch. java.net.
    java.io.File java.io.RandomAccessFile java.io.UnixFileSystem sun.nio.fs.
    """,
)

/** Methods of the JDK by which a thread blocks. Of the innermost frames, all of the JDK, the outermost that is listed decides. */
private val METHODS: Map<How, Prefixes> = mapOf(
    // Outside of other classes of the JDK, which are listed below, a park with a time is a sleep.
    How.SLEEP to
        Prefixes("java.lang.Thread.sleep java.util.concurrent.TimeUnit.sleep java.util.concurrent.locks.LockSupport.parkNanos"),
    How.RESULT to Prefixes(
        """
        java.util.concurrent.FutureTask.get java.util.concurrent.FutureTask.awaitDone java.util.concurrent.ForkJoinTask.get
        java.util.concurrent.ForkJoinTask.join java.util.concurrent.ForkJoinTask.invoke java.lang.UNIXProcess
        java.util.concurrent.ForkJoinPool.awaitTermination java.util.concurrent.ForkJoinPool.awaitQuiescence
        java.util.concurrent.CompletableFuture.get java.util.concurrent.CompletableFuture.join
        java.util.concurrent.CountDownLatch.await java.util.concurrent.CyclicBarrier.await java.util.concurrent.Phaser.
        java.util.concurrent.Exchanger. java.util.concurrent.ThreadPoolExecutor.awaitTermination java.lang.Thread.join
        java.util.concurrent.AbstractExecutorService.invoke java.util.concurrent.ExecutorCompletionService.
        java.util.concurrent.StructuredTaskScope java.util.concurrent.ThreadPerTaskExecutor. java.lang.Process
        """,
    ),
    How.NETWORK to Prefixes(
        """
        com.sun.jndi. jdk.internal.net.http. sun.net.www. sun.nio.ch.NioSocketImpl. sun.nio.ch.SocketChannelImpl.
        sun.nio.ch.SelectorImpl. java.net.Sock java.net.ServerSocket java.net.Datagram java.net.PlainSocketImpl
        java.net.AbstractPlainSocketImpl java.net.DualStack
        """,
    ),
    How.FILE to Prefixes(
        """
        java.io.FileInputStream. java.io.FileOutputStream. java.io.FileDescriptor. java.io.RandomAccessFile.
        java.io.UnixFileSystem. sun.nio.ch.FileChannelImpl. sun.nio.fs.
        """,
    ),
    How.SEMAPHORE to Prefixes("java.util.concurrent.Semaphore."),
    How.LOCK to Prefixes("java.util.concurrent.locks.Reentrant java.util.concurrent.locks.StampedLock."),
    How.CONDITION to Prefixes(
        $$"""
        java.util.concurrent.ArrayBlockingQueue. java.util.concurrent.DelayQueue. java.util.concurrent.LinkedBlockingDeque.
        java.util.concurrent.LinkedBlockingQueue. java.util.concurrent.LinkedTransferQueue.
        java.util.concurrent.PriorityBlockingQueue. java.util.concurrent.SynchronousQueue.
        java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue. java.util.concurrent.locks.AbstractQueued
        java.util.concurrent.locks.LockSupport.park java.lang.Object.wait
        """,
    ),
)

/** Null if the stack's thread is not blocked, or waits for a monitor, which a stack does not show. */
internal fun blocked(frames: List<Frame>): Blocked? {
    val top = frames.firstOrNull()?.call ?: return null
    if (top !in BLOCKING) return null
    val calls = frames.takeWhile { it.ofJdk }
    val lookup = calls.indexOfFirst { it.type.startsWith("java.net.Inet") }
    if (lookup >= 0) return Blocked(How.LOOKUP, lookup)
    return calls.withIndex().reversed().firstNotNullOfOrNull { (index, frame) ->
        METHODS.entries.find { (_, methods) -> frame.call in methods }?.let { (how, _) -> Blocked(how, index) }
    }
}
