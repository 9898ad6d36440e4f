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
    KnownResource(
        RATE_LIMITER,
        "Guava rate limiter",
        setBy = "`RateLimiter.create`",
        waits = calls("com.google.common.util.concurrent.RateLimiter."),
    ),
    KnownResource(
        RATE_LIMITER,
        "Resilience4j rate limiter",
        setBy = "`resilience4j.ratelimiter.instances.NAME.limit-for-period`",
        waits = calls("io.github.resilience4j.ratelimiter."),
    ),
    KnownResource(RATE_LIMITER, "Bucket4j rate limiter", setBy = "its `Bandwidth`", waits = calls("io.github.bucket4j.")),
    KnownResource(
        SEMAPHORE,
        "concurrent calls of a Resilience4j bulkhead",
        setBy = "`resilience4j.bulkhead.instances.NAME.max-concurrent-calls`",
        waits = calls("io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead."),
        unit = "call",
    ),
    KnownResource(
        SEMAPHORE,
        "concurrent tasks of Spring's SimpleAsyncTaskExecutor",
        SizeSetting("spring.task.execution.simple.concurrency-limit", "concurrent-tasks") { null },
        waits = listOf(WaitingCall(THROTTLE, within = "org.springframework.core.task.")),
        unit = "task",
    ),
    KnownResource(
        SEMAPHORE,
        "concurrent calls of Spring's @ConcurrencyLimit",
        setBy = "the value of `@ConcurrencyLimit`",
        waits = calls(THROTTLE),
        unit = "call",
    ),
    MUTEX,
    COROUTINE_SEMAPHORE,
    // Computes the value of a key, and changes an entry, with the monitor of the entry: caches such as Caffeine and `@Cacheable(sync = true)` do.
    KnownResource(
        MONITOR,
        "monitor of an entry of a ConcurrentHashMap",
        waits = calls("java.util.concurrent.ConcurrentHashMap."),
    ),
    KnownResource(MONITOR, "entry of a Guava cache that is loaded", waits = calls("com.google.common.cache.LocalCache")),
    KnownResource(
        LOCK,
        "lock of a Logback appender",
        waits = calls("ch.qos.logback.core.OutputStreamAppender."),
        instead = { "Log less, or through an `AsyncAppender`" },
    ),
    // Who waits for room in its queue waits for its thread, which has no units.
    KnownResource(
        RATE_LIMITER,
        "Logback AsyncAppender",
        setBy = "a faster appender behind it, or `neverBlock`",
        waits = calls("ch.qos.logback.core.AsyncAppenderBase."),
    ),
    KnownResource(
        MONITOR,
        "monitor of a Log4j2 appender",
        waits = calls(
            "org.apache.logging.log4j.core.appender.OutputStreamManager.",
            "org.apache.logging.log4j.core.appender.RandomAccessFileManager.",
            "org.apache.logging.log4j.core.appender.rolling.Rolling",
        ),
        instead = { "Log less, or through asynchronous loggers" },
    ),
    KnownResource(
        RATE_LIMITER,
        "Log4j2 AsyncAppender",
        setBy = "a faster appender behind it, or `blocking=\"false\"`",
        waits = calls("org.apache.logging.log4j.core.appender.AsyncAppender."),
    ),
    KnownResource(
        MONITOR,
        "monitor of Log4j2's asynchronous loggers",
        waits = calls("org.apache.logging.log4j.core.async.AsyncLogger"),
        instead = { "Log less, or through a faster appender: the ring buffer of the asynchronous loggers is full" },
    ),
)
