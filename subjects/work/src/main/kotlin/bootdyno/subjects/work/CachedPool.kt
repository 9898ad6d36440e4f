package bootdyno.subjects.work

import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/**
 * One platform thread for each waiting request, reused when idle and ended after 60 s without work: no limit of its own.
 *
 * It is no Spring bean on purpose. An `Executor` bean makes Spring Boot withdraw its own task executor, and with it
 * the virtual threads on which WebFlux would call blocking handlers.
 */
val cachedPool: ExecutorService =
    Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("cached-pool-", 1).factory())
