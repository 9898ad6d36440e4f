package bootdyno.catalogue

import bootdyno.catalogue.ResourceKind.ACCEPT_QUEUE
import bootdyno.catalogue.ResourceKind.CARRIERS
import bootdyno.catalogue.ResourceKind.EVENT_LOOPS
import bootdyno.catalogue.ResourceKind.REQUEST_THREADS
import bootdyno.catalogue.ResourceKind.SERVER_CONNECTIONS
import bootdyno.catalogue.ResourceKind.WORKERS

val TOMCAT_THREADS = KnownResource(
    REQUEST_THREADS,
    "Tomcat threads",
    SizeSetting("server.tomcat.threads.max", "tomcat-threads", 200),
    threads = Regex("(?:https?|ajp)-.*-exec-"),
    // The metrics need the setting server.tomcat.mbeanregistry.enabled.
    beans = PoolBeans(
        "Tomcat:type=ThreadPool,name=\"%s\"",
        size = "maxThreads",
        inUse = "currentThreadsBusy",
        metrics = mapOf("currentThreadsBusy" to "tomcat.threads.busy", "maxThreads" to "tomcat.threads.config.max"),
        whileRunning = WhileRunning(notAbove = "minSpareThreads"),
    ),
    alternative = "enable virtual threads",
)

/** The thread that accepts connections waits until one is closed. */
val TOMCAT_CONNECTIONS = KnownResource(
    SERVER_CONNECTIONS,
    "Tomcat connections",
    SizeSetting("server.tomcat.max-connections", "tomcat-connections", 8192),
    waits = calls("org.apache.tomcat.util.threads.LimitLatch."),
)

val TOMCAT_ACCEPT_QUEUE =
    sized(ACCEPT_QUEUE, "connections in Tomcat's accept queue", "server.tomcat.accept-count", "accept-queue", 100)

/** Threads, connections and queues of the servers. */
internal val SERVERS = listOf(
    TOMCAT_THREADS,
    TOMCAT_CONNECTIONS,
    TOMCAT_ACCEPT_QUEUE,
    sized(REQUEST_THREADS, "Jetty threads", "server.jetty.threads.max", "jetty-threads", 200, "qtp\\d+-"),
    sized(SERVER_CONNECTIONS, "Jetty connections", "server.jetty.max-connections", "jetty-connections", null),
    sized(REQUEST_THREADS, "Undertow threads", "server.undertow.threads.worker", "undertow-threads", null, "XNIO-\\d+ task-"),
)

val EVENT_LOOP = KnownResource(
    EVENT_LOOPS,
    "event loops",
    systemProperty("reactor.netty.ioWorkerCount", "event-loops") { cpus -> cpus?.let { maxOf(4, it) } },
    instead = { "Do not block event loops: enable virtual threads or use a scheduler of $it threads" },
    unit = "loop",
)

private const val LIMITED = "kotlinx.coroutines.internal.LimitedDispatcher"

val DISPATCHERS_IO = KnownResource(
    WORKERS,
    "Dispatchers.IO threads",
    systemProperty("kotlinx.coroutines.io.parallelism", "io-threads") { cpus -> maxOf(64, cpus ?: 1) },
    // The latter before kotlinx.coroutines 1.7.
    frames = listOf("$LIMITED\$Worker.run", "$LIMITED.run"),
    alternative = "use a dispatcher of its own",
)

val DISPATCHERS_DEFAULT = KnownResource(
    WORKERS,
    "Dispatchers.Default threads",
    systemProperty("kotlinx.coroutines.scheduler.core.pool.size", "default-threads") { cpus -> cpus?.let { maxOf(2, it) } },
    threads = Regex("DefaultDispatcher-worker-"),
    instead = { "Block on Dispatchers.IO or on a dispatcher of $it threads" },
)

/** Reactor starts a thread only when all others are in use: a pool that was not yet full may have more. */
val BOUNDED_ELASTIC = KnownResource(
    WORKERS,
    "boundedElastic threads",
    systemProperty("reactor.schedulers.defaultBoundedElasticSize", "elastic-threads") { cpus -> cpus?.let { 10 * it } },
    threads = Regex("boundedElastic-"),
    // On virtual threads.
    frames = listOf("reactor.core.scheduler.BoundedElasticThreadPerTaskScheduler\$SchedulerTask.run"),
    alternative = "use a scheduler of its own",
)

val PARALLEL = KnownResource(
    WORKERS,
    "Schedulers.parallel() threads",
    systemProperty("reactor.schedulers.defaultPoolSize", "parallel-threads") { it },
    threads = Regex("parallel-"),
    instead = { "Block on a scheduler of $it threads made for blocking" },
)

val OKHTTP_CALLS = KnownResource(
    WORKERS,
    "concurrent calls of OkHttp's dispatcher",
    setBy = "`maxRequests` and `maxRequestsPerHost` of its `Dispatcher`",
    // The latter before OkHttp 4.
    frames = listOf("okhttp3.internal.connection.RealCall\$AsyncCall.run", "okhttp3.RealCall\$AsyncCall.execute"),
    unit = "call",
)

val VIRTUAL_CARRIERS = KnownResource(
    CARRIERS,
    "carriers of virtual threads",
    systemProperty("jdk.virtualThreadScheduler.parallelism", "carriers") { it },
    // Since JDK 24.
    beans = PoolBeans(
        "jdk.management:type=VirtualThreadScheduler",
        size = "Parallelism",
        inUse = "MountedVirtualThreadCount",
        whileRunning = WhileRunning(),
    ),
)

/** Threads that handle messages, for which no request of a client queues. */
val LISTENERS = listOf(
    listenerThreads("Kafka", setBy = "`spring.kafka.listener.concurrency`", "(.+)-\\d+-C-"),
    listenerThreads("RabbitMQ", setBy = "`spring.rabbitmq.listener.simple.concurrency`", ".*RabbitListener.+#\\d+-"),
    listenerThreads("JMS", setBy = "`spring.jms.listener.max-concurrency`", ".*JmsListenerEndpointContainer#\\d+-"),
)

/** Threads of executors, dispatchers and schedulers. */
internal val EXECUTORS = listOf(
    EVENT_LOOP,
    DISPATCHERS_IO,
    DISPATCHERS_DEFAULT,
    BOUNDED_ELASTIC,
    PARALLEL,
    OKHTTP_CALLS,
    VIRTUAL_CARRIERS,
    sized(WORKERS, "applicationTaskExecutor threads", "spring.task.execution.pool.core-size", "task-threads", 8, "task-"),
    sized(WORKERS, "taskScheduler threads", "spring.task.scheduling.pool.size", "scheduling-threads", 1, "scheduling-"),
    KnownResource(
        WORKERS,
        "ForkJoinPool.commonPool threads",
        systemProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "common-pool-threads") { cpus ->
            cpus?.let { maxOf(1, it - 1) }
        },
        threads = Regex("ForkJoinPool\\.commonPool-worker-"),
        instead = { "Block in an executor of $it threads and not in the common pool" },
    ),
) + LISTENERS

private fun sized(kind: ResourceKind, noun: String, key: String, label: String, default: Int?, threads: String? = null) =
    KnownResource(kind, noun, SizeSetting(key, label) { default }, threads = threads?.let(::Regex))

private fun listenerThreads(of: String, setBy: String, threads: String) =
    KnownResource(WORKERS, "$of listener threads", setBy = setBy, threads = Regex(threads))

private fun systemProperty(key: String, label: String, default: (Int?) -> Int?) =
    SizeSetting(key, label, isSystemProperty = true, default)
