package bootdyno.catalogue

/** What a limit is a number of. */
enum class ResourceKind {
    /** Connections of a pool to a database. */
    DATABASE_CONNECTIONS,

    /** Connections of an HTTP client or another client to a peer. */
    CLIENT_CONNECTIONS,

    /** Connections that a server accepts. */
    SERVER_CONNECTIONS,

    /** Connections that the kernel opened and a server has not accepted yet. */
    ACCEPT_QUEUE,

    /** Connections of the load generator: the limit is the load itself. */
    LOAD_CONNECTIONS,

    /** Worker threads that take requests: of Tomcat, Jetty, Undertow. */
    REQUEST_THREADS,

    /** Threads of another executor, dispatcher or scheduler. */
    WORKERS,

    EVENT_LOOPS,

    /** Carriers of virtual threads that are pinned. */
    CARRIERS,

    /** Objects of any other pool, made with a queue or a condition, as an application writes it. */
    POOL,
    SEMAPHORE,
    MONITOR,
    LOCK,
    RATE_LIMITER,
    CPU,
    DATABASE_CPU,

    /** Requests per second that the load generator sends: the limit is the load itself. */
    OFFERED_RATE,
    ;

    /** It has one owner at a time. */
    val isLock: Boolean get() = this == LOCK || this == MONITOR
}
