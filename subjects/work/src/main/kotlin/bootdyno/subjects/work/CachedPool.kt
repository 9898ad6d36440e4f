package bootdyno.subjects.work

import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/**
 * One platform thread per waiting request, reused when idle and ended after 60 s without work: no limit.
 *
 * Not a Spring bean: an `Executor` bean would make Spring Boot remove its own task executor, with the virtual threads for blocking handlers of
 * WebFlux.
 */
val cachedPool: ExecutorService =
    Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("cached-pool-", 1).factory())
