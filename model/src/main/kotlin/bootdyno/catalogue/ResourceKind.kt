package bootdyno.catalogue

/** What a limit is a number of. [unit]: one of them, `connection`; null for what has no units, as a lock. */
enum class ResourceKind(val unit: String? = null) {
    /** Connections of a pool to a database. */
    DATABASE_CONNECTIONS("connection"),

    /** Connections of an HTTP client or another client to a peer. */
    CLIENT_CONNECTIONS("connection"),

    /** Connections that a server accepts. */
    SERVER_CONNECTIONS("connection"),

    /** Connections that the kernel opened and a server has not accepted yet. */
    ACCEPT_QUEUE("connection"),

    /** Connections of the load generator: the limit is the load itself. */
    LOAD_CONNECTIONS("connection"),

    /** Worker threads that take requests: of Tomcat, Jetty, Undertow. */
    REQUEST_THREADS("thread"),

    /** Threads of another executor, dispatcher or scheduler. */
    WORKERS("thread"),

    EVENT_LOOPS("thread"),

    /** Carriers of virtual threads that are pinned. */
    CARRIERS("carrier"),

    /** Objects of any other pool, made with a queue or a condition, as an application writes it. */
    POOL("object"),
    SEMAPHORE("permit"),
    MONITOR,
    LOCK,
    RATE_LIMITER,
    CPU("CPU"),
    DATABASE_CPU("CPU"),

    /** Requests per second that the load generator sends: the limit is the load itself. */
    OFFERED_RATE,
    ;

    /** It has one owner at a time. */
    val isLock: Boolean get() = this == LOCK || this == MONITOR
}
