package bootdyno.subjects.work

import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors
import java.util.concurrent.Semaphore

/** Maximum number of computing requests: one per CPU of the JVM. */
private val cpus = Runtime.getRuntime().availableProcessors()

/** One platform thread per CPU; further requests wait in its unlimited queue. Not a Spring bean, like [cachedPool]. */
val cpuPool: ExecutorService =
    Executors.newFixedThreadPool(cpus, Thread.ofPlatform().daemon().name("cpu-pool-", 1).factory())

/** One permit per CPU; further requests block their thread until they get one. Not fair. */
val cpuPermits = Semaphore(cpus)
