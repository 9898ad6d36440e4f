package bootdyno.probe

import bootdyno.model.Stack

/** The purpose of a subject's thread, by its name. [key] is its name in `trial.json`. */
enum class ThreadFamily(val key: String) {
    /** Tomcat's workers (`http-nio-PORT-exec-N`). */
    TOMCAT(Stack.TOMCAT.threadFamily),

    /** Workers of Kotlin's `Dispatchers.IO` and `Dispatchers.Default`, which share threads. */
    DISPATCHERS("dispatchers"),

    /** Reactor's `Schedulers.boundedElastic()`. */
    BOUNDED_ELASTIC("bounded-elastic"),

    /** Event loops of Reactor Netty or plain Netty. */
    EVENT_LOOP(Stack.NETTY.threadFamily),

    /** Reactor's `Schedulers.parallel()`. */
    PARALLEL("parallel"),

    /** Executors with default names (`pool-N-thread-M`): usually a cached pool. */
    CACHED_POOL("cached-pool"),

    /** Carriers of virtual threads, or the application's own ForkJoinPool, which has the same names. */
    CARRIER("carrier"),
    COMPILER("compiler"),
    GC("gc"),
    OTHER("other"),
}

/**
 * The kernel stores 15 characters of a name: JDK 25 sets the first 15, `http-nio-8080-e`; other JDKs may shorten the middle,
 * `http-ni..xec-12`. The first match counts.
 */
private val FAMILIES = listOf(
    ThreadFamily.OTHER to Regex("http.*(-A|-Ac.*|-P|-Po.*|\\.\\.ceptor|\\.\\.Poller)"),
    ThreadFamily.TOMCAT to Regex("(http-(nio|nio2|apr)-|https-(jsse|opens)|http-ni\\.\\.|https-j\\.\\.).*"),
    ThreadFamily.DISPATCHERS to Regex("(DefaultDispatch|Default\\.\\.).*"),
    ThreadFamily.OTHER to Regex("boundedElastic-evictor.*"),
    ThreadFamily.BOUNDED_ELASTIC to Regex("boundedElastic-.*|bounded\\.\\..*tic-\\d+"),
    ThreadFamily.EVENT_LOOP to
        Regex("(reactor-(http|tcp)-|reactor\\.\\.|nioEventLoop|epollEventLoop|kqueueEvent|multiThreadIoEv).*"),
    ThreadFamily.PARALLEL to Regex("parallel-\\d+"),
    ThreadFamily.CACHED_POOL to Regex("pool-\\d+-.*"),
    ThreadFamily.CARRIER to Regex("ForkJoinPool-\\d+.*"),
    ThreadFamily.COMPILER to Regex("C[12] Comp.*"),
    ThreadFamily.GC to Regex("(GC Thread|G1 |[XZ](Worker|Direct|Driver|Stat|Uncom|Unmap)|Shenandoah).*"),
)

/** The family of a thread, by its complete or shortened name. */
fun threadFamily(name: String): ThreadFamily = FAMILIES.find { (_, names) -> names.matches(name) }?.first ?: ThreadFamily.OTHER

/** A shortened name that several kinds of threads share; [unrelated] of them belong to no pool. */
private data class AmbiguousName(val name: Regex, val unrelated: Int)

private val AMBIGUOUS_NAMES = listOf(
    // One acceptor and one poller per connector; a port of five digits leaves no room for the rest of the name.
    AmbiguousName(Regex("http-nio-\\d{5}-|https-jsse-nio-"), unrelated = 2),
    // Reactor's evictor thread.
    AmbiguousName(Regex("boundedElastic-"), unrelated = 1),
)

/** Number of threads by family, from the shortened [names]. Virtual threads have no kernel threads. */
fun threadFamilies(names: List<String>): Map<ThreadFamily, Int> {
    val counts = sortedMapOf<ThreadFamily, Int>()
    names.groupingBy { it }.eachCount().forEach { (name, count) ->
        val unrelated = (AMBIGUOUS_NAMES.find { it.name.matches(name) }?.unrelated ?: 0).coerceAtMost(count)
        counts.merge(threadFamily(name), count - unrelated, Int::plus)
        counts.merge(ThreadFamily.OTHER, unrelated, Int::plus)
    }
    return counts.filterValues { it > 0 }
}
