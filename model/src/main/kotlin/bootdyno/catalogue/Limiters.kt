package bootdyno.catalogue

import bootdyno.catalogue.ResourceKind.LOCK
import bootdyno.catalogue.ResourceKind.MONITOR
import bootdyno.catalogue.ResourceKind.RATE_LIMITER
import bootdyno.catalogue.ResourceKind.SEMAPHORE

private const val THROTTLE = "org.springframework.util.ConcurrencyThrottleSupport."

/** Coroutines that wait for it have an object each. */
val MUTEX = KnownResource(
    LOCK,
    "Mutex of kotlinx.coroutines",
    objects = CountedObjects(
        "kotlinx.coroutines.sync.MutexImpl",
        waiter = "kotlinx.coroutines.sync.MutexImpl\$CancellableContinuationWithOwner",
    ),
)

/** Its queue has a segment for each 16 coroutines that wait, and one more; a mutex has one as well. */
val COROUTINE_SEMAPHORE = KnownResource(
    SEMAPHORE,
    "permits of a Semaphore of kotlinx.coroutines",
    setBy = "its constructor",
    objects = CountedObjects("kotlinx.coroutines.sync.SemaphoreImpl", waiter = "kotlinx.coroutines.sync.SemaphoreSegment"),
)

/** Rate limiters, semaphores and locks. */
internal val LIMITERS = listOf(
    // A monitor, because the object changes with the owner: it is the owner's transaction.
    KnownResource(MONITOR, "row lock of H2", waits = calls("org.h2.mvstore.tx.Transaction.waitFor")),
    rateLimiter("Guava rate limiter", setBy = "`RateLimiter.create`", "com.google.common.util.concurrent.RateLimiter."),
    rateLimiter(
        "Resilience4j rate limiter",
        setBy = "`resilience4j.ratelimiter.instances.NAME.limit-for-period`",
        "io.github.resilience4j.ratelimiter.",
    ),
    rateLimiter("Bucket4j rate limiter", setBy = "its `Bandwidth`", "io.github.bucket4j."),
    rateLimiter("Sentinel rate limiter", setBy = "its flow rule", "com.alibaba.csp.sentinel.slots.block.flow.controller."),
    rateLimiter("Failsafe rate limiter", setBy = "its builder", "dev.failsafe.internal.RateLimiterImpl."),
    concurrentCalls(
        "a Resilience4j bulkhead",
        setBy = "`resilience4j.bulkhead.instances.NAME.max-concurrent-calls`",
        "io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.",
    ),
    concurrentCalls("a Failsafe bulkhead", setBy = "its builder", "dev.failsafe.internal.BulkheadImpl."),
    concurrentCalls("Netflix concurrency-limits", setBy = "its `Limit`", "com.netflix.concurrency.limits.limiter."),
    KnownResource(
        SEMAPHORE,
        "channels of a connection to RabbitMQ",
        setBy = "`spring.rabbitmq.cache.channel.size`",
        waits = calls("org.springframework.amqp.rabbit.connection.CachingConnectionFactory."),
        unit = "channel",
    ),
    KnownResource(
        SEMAPHORE,
        "concurrent tasks of Spring's SimpleAsyncTaskExecutor",
        SizeSetting("spring.task.execution.simple.concurrency-limit", "concurrent-tasks") { null },
        waits = listOf(WaitingCall(THROTTLE, within = "org.springframework.core.task.")),
        unit = "task",
    ),
    concurrentCalls("Spring's @ConcurrencyLimit", setBy = "the value of `@ConcurrencyLimit`", THROTTLE),
    MUTEX,
    COROUTINE_SEMAPHORE,
    // A monitor, because each library waits in its own way. Another instance of the application may own it.
    KnownResource(
        MONITOR,
        "distributed lock",
        waits = calls(
            "org.apache.curator.framework.recipes.locks.LockInternals.",
            "org.redisson.RedissonLock.lock",
            "org.redisson.RedissonLock.tryLock",
            "org.redisson.RedissonSpinLock.",
            "org.springframework.data.redis.cache.DefaultRedisCacheWriter.",
            "org.springframework.integration.jdbc.lock.JdbcLockRegistry",
            "org.springframework.integration.redis.util.RedisLockRegistry",
        ),
    ),
    // Computes the value of a key, and changes an entry, with the monitor of the entry: caches such as Caffeine and `@Cacheable(sync = true)` do.
    KnownResource(
        MONITOR,
        "monitor of an entry of a ConcurrentHashMap",
        waits = calls("java.util.concurrent.ConcurrentHashMap.", "org.ehcache.impl.internal.concurrent.ConcurrentHashMap."),
    ),
    KnownResource(MONITOR, "entry of a Guava cache that is loaded", waits = calls("com.google.common.cache.LocalCache")),
    KnownResource(
        LOCK,
        "lock of a Logback appender",
        waits = calls("ch.qos.logback.core.OutputStreamAppender."),
        instead = { "Log less, or through an `AsyncAppender`" },
    ),
    // Who waits for room in the queue of one of these four waits for what empties it, which has no units.
    rateLimiter("Logback AsyncAppender", setBy = "a faster appender, or `neverBlock`", "ch.qos.logback.core.AsyncAppenderBase."),
    rateLimiter(
        "Log4j2 AsyncAppender",
        setBy = "a faster appender, or `blocking=\"false\"`",
        "org.apache.logging.log4j.core.appender.AsyncAppender.",
    ),
    rateLimiter(
        "ring buffer of a Disruptor",
        setBy = "a faster consumer behind it, as an appender of Log4j2 is",
        "com.lmax.disruptor.MultiProducerSequencer.",
        "com.lmax.disruptor.SingleProducerSequencer.",
    ),
    rateLimiter(
        "buffer of a Kafka producer",
        setBy = "a faster broker, or a larger `spring.kafka.producer.buffer-memory`",
        "org.apache.kafka.clients.producer.internals.BufferPool.",
    ),
    KnownResource(
        MONITOR,
        "monitor of a Log4j2 appender",
        // Layouts encode into the buffer of the appender.
        waits = calls("org.apache.logging.log4j.core.appender.", "org.apache.logging.log4j.core.layout."),
        instead = { "Log less, or through asynchronous loggers" },
    ),
    KnownResource(
        MONITOR,
        "monitor of Log4j2's asynchronous loggers",
        waits = calls("org.apache.logging.log4j.core.async.AsyncLogger"),
        instead = { "Log less, or through a faster appender: the ring buffer of the asynchronous loggers is full" },
    ),
)

private fun rateLimiter(noun: String, setBy: String, vararg methods: String) =
    KnownResource(RATE_LIMITER, noun, setBy = setBy, waits = calls(*methods))

private fun concurrentCalls(of: String, setBy: String, vararg methods: String) =
    KnownResource(SEMAPHORE, "concurrent calls of $of", setBy = setBy, waits = calls(*methods), unit = "call")
