package bootdyno.subjects.work

import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Semaphore

/** How many requests compute at once where that is limited: one for each CPU the JVM sees; more would only take turns. */
private val cpus = Runtime.getRuntime().availableProcessors()

/** A platform thread for each CPU; further requests wait in its queue, which has no end. No Spring bean, as [cachedPool] is none. */
val cpuPool: ExecutorService =
    Executors.newFixedThreadPool(cpus, Thread.ofPlatform().daemon().name("cpu-pool-", 1).factory())

/** A permit for each CPU; further requests wait for one on the thread they came with. Who waits longest is not always next. */
val cpuPermits = Semaphore(cpus)
