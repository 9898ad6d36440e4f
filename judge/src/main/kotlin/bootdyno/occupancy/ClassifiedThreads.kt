package bootdyno.occupancy

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.OKHTTP_CALLS
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Diagnosis
import bootdyno.model.DumpedThreads
import bootdyno.model.Frame

/** Equal threads of one dump, and what they did. */
internal data class ClassifiedThreads(
    val dump: Int,
    val threads: DumpedThreads,
    val stack: CallStack,
    val role: Role,
    val reason: ThreadDoing,
) {
    val count: Int get() = threads.count
    val wait: Wait? get() = reason.wait
    val working: Boolean get() = role == Role.WORKING
}

internal enum class Role {
    /** On a request, or on a part of one. */
    WORKING,

    /** A worker without work. */
    IDLE,

    /** Not for requests: of the JVM or a library, or a thread of the application that serves no request. */
    BACKGROUND,
}

/** A stack and what follows from its frames alone. */
internal class CallStack(val frames: List<Frame>) {
    /** Index of the innermost frame of the application's own code; −1 without any. */
    val own: Int = frames.indexOfFirst { it.own }
    val ownFrame: Frame? get() = frames.getOrNull(own)
    val blocked: Blocked? = blocked(frames)

    /** What a thread that is [blocked] does. */
    val reason: ThreadDoing by lazy { reason(frames, checkNotNull(blocked)) }

    /** Runs a task of an executor, dispatcher or event loop. */
    val task: Boolean = has(TASKS)
    val eventLoop: Boolean = has(EVENT_LOOPS)

    /** May run as long as the application, and take its work from a queue. */
    val mayConsume: Boolean = own >= 0 && frames.none { it.type.startsWith("reactor.") || it.type.startsWith("kotlinx.") }

    /** Handles a request of a server, or a message. */
    val request: Boolean = has(SERVERS)
    val background: Boolean = has(BACKGROUND)

    /** The dispatcher that limits how many tasks run at a time, in a pool that grows; null for none. */
    val dispatcher: KnownResource? = frames.firstNotNullOfOrNull { DISPATCHERS[it.call] }

    /** Waits for work in the loop of a worker: such loops call the application's code, and are not called by it. */
    val idle: Boolean = (if (own < 0) frames else frames.take(own)).any { it.call in IDLE }

    fun has(methods: List<String>): Boolean = frames.any { it.call in methods }

    private fun has(methods: Prefixes): Boolean = frames.any { it.call in methods }
}

/** By the calls below their tasks. */
private val DISPATCHERS = CATALOGUE.flatMap { entry -> entry.frames.map { it to entry } }.toMap()

private val IDLE = Prefixes(
    $$"""
    java.util.concurrent.ThreadPoolExecutor.getTask org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask
    java.util.concurrent.ForkJoinPool.awaitWork java.util.concurrent.ForkJoinPool.scan
    kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.tryPark
    kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.findTask
    kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.findAnyTask io.netty.channel.nio.NioEventLoop.select
    io.netty.channel.nio.NioIoHandler.select io.netty.channel.epoll.Native.epoll io.netty.channel.kqueue.Native.kevent
    io.netty.channel.uring.Native.ioUringEnter io.netty.util.concurrent.SingleThreadEventExecutor.takeTask
    org.xnio.nio.NioHandle.select sun.nio.ch.SelectorImpl. org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll
    org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait
    """,
)

private val TASKS = Prefixes(
    """
    java.util.concurrent.ThreadPoolExecutor.runWorker org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker
    java.util.concurrent.ForkJoinPool.runWorker java.util.concurrent.ForkJoinTask.doExec kotlinx.coroutines.DispatchedTask.
    reactor.core.scheduler. io.netty.util.concurrent. org.eclipse.jetty.util.thread. org.jboss.threads.
    """,
)

private val EVENT_LOOPS = Prefixes(
    """
    io.netty.util.concurrent.SingleThreadEventExecutor. io.netty.channel.nio.NioEventLoop. io.netty.channel.epoll.EpollEventLoop.
    io.netty.channel.SingleThreadIoEventLoop. org.xnio.nio.WorkerThread.
    """,
)

private val SERVERS = Prefixes(
    $$"""
    org.apache.coyote. org.apache.catalina.connector.CoyoteAdapter. org.apache.tomcat.util.net.SocketProcessorBase.
    org.eclipse.jetty.server.Server.handle org.eclipse.jetty.server.internal. org.eclipse.jetty.server.HttpChannel
    io.undertow.server. jakarta.servlet. javax.servlet. org.springframework.http.server. org.springframework.web.servlet.
    org.springframework.web.filter. org.springframework.web.method. org.springframework.web.context.request.
    org.springframework.web.server. org.springframework.web.reactive.DispatcherHandler org.springframework.web.reactive.result.
    org.springframework.web.reactive.handler. org.springframework.web.reactive.function.server.
    org.springframework.web.socket.handler. org.springframework.web.socket.messaging. reactor.netty.http.server.
    sun.net.httpserver.ServerImpl$Exchange. io.vertx.ext.web. io.ktor.server. io.grpc.internal.ServerImpl
    org.springframework.kafka.listener.adapter.
    org.springframework.kafka.listener.KafkaMessageListenerContainer$ListenerConsumer.invoke
    org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer.
    org.springframework.jms.listener.AbstractMessageListenerContainer.
    """,
)

/** Periodic tasks, connections of management clients, and threads that accept connections. */
private val BACKGROUND = Prefixes(
    $$"""
    java.util.concurrent.FutureTask.runAndReset org.springframework.scheduling.support.ScheduledMethodRunnable.
    java.util.TimerThread. org.quartz.core.JobRunShell. sun.rmi.transport.tcp.TCPTransport
    org.springframework.boot.SpringApplication.run org.apache.tomcat.util.net.Acceptor. org.eclipse.jetty.io.ManagedSelector
    org.eclipse.jetty.server.AbstractConnector$Acceptor. com.zaxxer.hikari.pool.HikariPool$
    java.lang.VirtualThread.runContinuation
    """,
)

/** All threads of each dump. Each stack is read once; those of the profile, in the same table, are not. */
internal fun classified(diagnosis: Diagnosis): List<ClassifiedThreads> {
    val stacks = HashMap<Int, CallStack>()
    return diagnosis.dumps.flatMapIndexed { dump, all ->
        all.threads.map { classified(dump, it, stacks.getOrPut(it.stack) { CallStack(diagnosis.stacks.stack(it.stack)) }) }
    }
}

private fun classified(dump: Int, threads: DumpedThreads, stack: CallStack): ClassifiedThreads {
    val blocked = stack.blocked
    val synchronous = blocked != null && !blocked.how.isOutside
    val reason = when {
        // At the end of Object.wait, a thread also waits for the monitor.
        threads.state == "BLOCKED" && !synchronous -> monitor(stack.frames, threads.waitsFor)

        // What it waited for is there, and it is ready for a CPU.
        blocked == null || (synchronous && threads.state == "RUNNABLE") -> ThreadDoing(Doing.RUNNING)

        else -> stack.reason
    }
    return ClassifiedThreads(dump, threads, stack, role(threads, stack, reason), reason)
}

private fun role(threads: DumpedThreads, stack: CallStack, reason: ThreadDoing): Role = when {
    stack.background -> Role.BACKGROUND

    stack.request -> Role.WORKING

    stack.idle -> Role.IDLE

    stack.dispatcher == OKHTTP_CALLS -> Role.WORKING

    stack.own < 0 -> when {
        !stack.task -> Role.BACKGROUND
        reason.wait?.kind == ResourceKind.POOL -> Role.IDLE
        reason.wait != null || reason.doing == Doing.DATABASE -> Role.WORKING
        else -> Role.BACKGROUND
    }

    threads.virtual || stack.task -> Role.WORKING

    // A thread of the application's own, outside of any executor, that takes work from a queue, or pauses.
    reason.wait?.kind == ResourceKind.POOL || reason.doing in PAUSES -> Role.IDLE

    else -> Role.WORKING
}

private val PAUSES = setOf(Doing.SLEEPING, Doing.AWAITING_RESULT, Doing.NETWORK, Doing.LOOKUP, Doing.UNKNOWN)
