package bootdyno.occupancy

import bootdyno.model.Diagnosis
import bootdyno.model.DumpedThreads
import bootdyno.model.SocketReading
import bootdyno.model.StackTable
import bootdyno.model.ThreadDump

/** Threads of a dump, with their stack as a Java stack trace prints it: innermost first. */
internal class Group(val count: Int, val threads: DumpedThreads, val stack: List<String>)

/** A diagnosis with [number] dumps, each of the groups that [groups] gives for its index. */
internal fun diagnosis(number: Int = 20, groups: (Int) -> List<Group>): Diagnosis {
    val frames = LinkedHashMap<String, Int>()
    val stacks = LinkedHashMap<List<Int>, Int>()
    val dumps = List(number) { dump ->
        val threads = groups(dump).filter { it.count > 0 }.map { group ->
            val stack = group.stack.map { frame -> frames.getOrPut(frame) { frames.size } }
            group.threads.copy(count = group.count, stack = stacks.getOrPut(stack) { stacks.size })
        }
        ThreadDump(at = dump * 0.1, seconds = 0.01, threads)
    }
    return Diagnosis(
        from = 0.0,
        to = number * 0.1,
        stacks = StackTable(frames.keys.toList(), stacks.keys.toList()),
        dumps = dumps,
    )
}

/** In each dump the same [groups]. */
internal fun occupancyOf(vararg groups: Group): Occupancy = occupancyOf { groups.toList() }

internal fun occupancyOf(groups: (Int) -> List<Group>): Occupancy = occupancy(diagnosis(groups = groups))

/** With so many connections of clients. */
internal fun Diagnosis.withClients(count: Int): Diagnosis = copy(sockets = listOf(SocketReading(0.0, count, emptyMap())))

/** Requests that sleep. */
internal fun quoting(count: Int) = platform(count, "$ASLEEP${own("Quotes.quote", 13)}$TOMCAT", "TIMED_WAITING")

/** [stack]: one frame a line, innermost first. */
internal fun platform(
    count: Int,
    stack: String,
    state: String? = "WAITING",
    name: String = "http-nio-8080-exec-",
    waitsFor: String? = null,
    owns: List<String> = emptyList(),
) = Group(count, DumpedThreads(name = name, state = state, stack = 0, waitsFor = waitsFor, owns = owns), lines(stack))

/** As JDK 25 dumps it, or as JDK 21 with null for [state]. */
internal fun virtual(count: Int, stack: String, state: String? = "WAITING", waitsFor: String? = null) =
    Group(count, DumpedThreads(name = "", virtual = true, state = state, stack = 0, waitsFor = waitsFor), lines(stack))

private fun lines(stack: String) = stack.trimIndent().lines().filter { it.isNotBlank() }.map { it.trim() }

/** A frame of the application. */
internal fun own(method: String, line: Int) = "\ncom.acme.$method(${method.substringBefore('.')}.java:$line)\n"

internal const val PARKED = """
java.lang.VirtualThread.park(VirtualThread.java:582)
java.util.concurrent.locks.LockSupport.park(LockSupport.java:371)
"""

internal const val ASLEEP = """
java.lang.VirtualThread.sleepNanos(VirtualThread.java:793)
java.lang.Thread.sleep(Thread.java:540)
"""

internal const val READING = """
sun.nio.ch.SocketDispatcher.read0(Native Method)
sun.nio.ch.NioSocketImpl.implRead(NioSocketImpl.java:301)
java.net.Socket${'$'}SocketInputStream.read(Socket.java:1099)
"""

/** Outer frames of a request on Tomcat. */
internal const val TOMCAT = """
org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:963)
org.apache.catalina.connector.CoyoteAdapter.service(CoyoteAdapter.java:344)
org.apache.coyote.http11.Http11Processor.service(Http11Processor.java:399)
java.lang.Thread.run(Thread.java:1474)
"""

/** Outer frames of a task in an executor of the JDK. */
internal const val WORKER = """
java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1090)
java.util.concurrent.ThreadPoolExecutor${'$'}Worker.run(ThreadPoolExecutor.java:614)
java.lang.Thread.run(Thread.java:1474)
"""

/** A Tomcat thread without a request. */
internal const val NO_REQUEST = """
jdk.internal.misc.Unsafe.park(Native Method)
java.util.concurrent.locks.LockSupport.park(LockSupport.java:369)
java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)
org.apache.tomcat.util.threads.TaskQueue.take(TaskQueue.java:128)
org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1113)
org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1176)
java.lang.Thread.run(Thread.java:1474)
"""

internal const val LOCKING = "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:323)"

internal const val ACQUIRE = """
java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(AbstractQueuedSynchronizer.java:743)
java.util.concurrent.Semaphore.acquire(Semaphore.java:313)
"""

internal const val BORROW = """
java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:704)
com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:160)
com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:168)
com.zaxxer.hikari.HikariDataSource.getConnection(HikariDataSource.java:99)
"""

internal const val REPOSITORY = """
org.springframework.jdbc.datasource.DataSourceUtils.fetchConnection(DataSourceUtils.java:160)
org.springframework.jdbc.core.JdbcTemplate.execute(JdbcTemplate.java:652)
com.acme.Orders.find(Orders.java:42)
$TOMCAT
"""

internal const val HIKARI_WAIT = "$PARKED$BORROW$REPOSITORY"

internal const val QUERY = """
$READING
org.postgresql.core.v3.QueryExecutorImpl.execute(QueryExecutorImpl.java:370)
org.springframework.jdbc.core.JdbcTemplate.execute(JdbcTemplate.java:658)
com.acme.Orders.find(Orders.java:42)
$TOMCAT
"""
