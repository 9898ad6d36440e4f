package bootdyno.endtoend

/** What is planted in the cells of `experiments/limits.yaml`. */
internal object PlantedLimits {
    /** The limit with an elasticity of 1 among those that can be changed while running, by cell. */
    val FOLLOWED: Map<String, String> = mapOf(
        "orders/wait@crowd" to "Tomcat threads",
        "orders/pool@many" to "HikariCP connections",
        "orders/pool@crowd" to "HikariCP connections",
        "orders/statement@many" to "HikariCP connections",
        "orders/series@tie" to "HikariCP connections",
        "virtual/pool@many" to "HikariCP connections",
        "virtual/pinned@many" to "carriers of virtual threads",
    )

    /** What the name of the limit contains, by cell. */
    val NAMES: Map<String, Regex> = mapOf(
        "orders/wait@few" to "^10 client connections",
        "orders/wait@many" to "^100 client connections",
        "orders/wait@tie" to "^200 client connections",
        "orders/wait@crowd" to "^200 .*threads",
        "orders/wait@offered" to "^50/s offered",
        // The CPU is nearly full: more connections bring at most what is left of it.
        "orders/fast@few" to "^10 client connections|CPU",
        "orders/rate@many" to "rate limiter.* Exports",
        // Nothing is held, so none is named.
        "orders/paced@many" to "^$",
        "orders/random@many" to "^100 client connections",
        "orders/executor@many" to "^8 .*pool-.-thread",
        "orders/future@many" to "^8 .*pool-.-thread",
        "orders/task@many" to "^8 applicationTaskExecutor threads",
        "common-pool/common@many" to "^4 ForkJoinPool.commonPool threads",
        "orders/semaphore@many" to "permits of the semaphore in Reservations",
        "orders/bulkhead@many" to "concurrent calls of a Resilience4j bulkhead",
        "orders/throttled@many" to "concurrent calls of Spring's @ConcurrencyLimit",
        "orders/tools@many" to "^4 objects of Pickers",
        // Where thread dumps take long, the number of those inside is not constant in them.
        "orders/gate@many" to "^$|^8 objects of Docks",
        "orders/monitor@many" to "monitor of Ledger",
        "orders/lock@tie" to "ReentrantLock in Numbering",
        "orders/serial@few" to "CPU|monitor of Postings",
        "orders/partly-serial@few" to "CPU|monitor of Postings",
        "two-cpus/serial@few" to "monitor of Postings",
        "orders/reload@few" to "^$|ReentrantLock in Prices",
        "orders/entry@few" to "monitor of an entry of a ConcurrentHashMap in Stock",
        "orders/audit@many" to "lock of a Logback appender",
        "orders/log@many" to "Logback AsyncAppender in Visits",
        "orders/yield@many" to "busy waiting in Drivers",
        "virtual/yield@many" to "busy waiting in Drivers",
        // The disk of most machines; where it is fast, the CPU, or the channel's lock.
        "orders/fsync@many" to "^$|CPU|FileChannel",
        "orders/pool@many" to "^10 HikariCP connections",
        "orders/pool@crowd" to "^10 HikariCP connections",
        "dbcp/pool@many" to "^8 DBCP connections",
        "tomcat-jdbc/pool@many" to "^10 Tomcat JDBC connections",
        "orders/statement@many" to "^10 HikariCP connections",
        // Its CPU; the connections are full, too.
        "orders/scan@many" to "database|HikariCP",
        "orders/row@many" to "Lock in the database",
        "orders/series@tie" to "^10 HikariCP connections",
        // As full as its places in the database.
        "orders/slots@many" to "^10 HikariCP connections|database",
        "orders/cpu@few" to "CPU",
        "statistics/cpu@few" to "CPU",
        "statistics/wait@many" to "^100 client connections",
        "two-cpus/single@many" to "^1 .*pool-.-thread",
        "virtual/wait@crowd" to "^400 client connections",
        "virtual/pool@many" to "^10 HikariCP connections",
        "virtual/semaphore@many" to "permits of the semaphore in Reservations",
        "virtual/pinned@many" to "^1 carrier",
        "small-heap/heap@few" to "^Heap of 9[0-9.]+ MiB",
        // The collector takes a third of the CPU, and may be what fills it.
        "larger-heap/heap@few" to "^$|^Heap of 1[0-9.]+ MiB|CPU",
        "few-accepted/wait@many" to "^$|^20 Tomcat connections",
        "short-queue/short-wait@users" to "^accept queue of 10",
        "calling/client@many" to "^5 .*connections",
        "calling/call@many" to "^100 client connections|127\\.0\\.0\\.1",
        "calling-limited/call@many" to "127\\.0\\.0\\.1",
        // It waits between two attempts, where it has no connection.
        "calling-refused/retry@many" to "^$|127\\.0\\.0\\.1",
        "delivery/wait@many" to "^100 client connections",
        "delivery/blocked@many" to "^4 .*reactor-http",
        "delivery/elastic@many" to "^10 .*boundedElastic",
        "delivery/io@many" to "^64 Dispatchers.IO threads",
        "delivery/default@many" to "^2 Dispatchers.Default threads",
        "delivery/r2dbc@many" to "^10 R2DBC connections",
        "delivery/mutex@many" to "^Mutex of kotlinx",
        "delivery/permits@many" to "Semaphore of kotlinx",
        "delivery-calling/client@many" to "^5 .*connections",
        "delivery-calling-limited/call@many" to "127\\.0\\.0\\.1",
    ).mapValues { (_, words) -> Regex(words) }

    /** Whether [limit], empty if none is named, is what is planted in [cell]. */
    fun namingOf(cell: String, limit: String): Naming {
        val planted = NAMES.getValue(cell)
        return when {
            limit.isEmpty() && planted.pattern != "^$" -> Naming.MISSED
            planted.containsMatchIn(limit) -> Naming.RIGHT
            else -> Naming.WRONG
        }
    }
}

/** [MISSED]: none is named. */
internal enum class Naming { RIGHT, MISSED, WRONG }
