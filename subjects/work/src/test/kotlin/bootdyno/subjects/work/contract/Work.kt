package bootdyno.subjects.work.contract

/**
 * What a style does for its request. [function] is how stack traces and lists of compiled code name it, up to its bracket;
 * [longEnoughToSee] is the query that makes it take some tenths of a second, so that a dump can find it.
 */
enum class Work(val function: String, val longEnoughToSee: String) {
    WAIT("bootdyno.subjects.work.BlockingWaitKt.waitBlocking(", "?ms=200"),
    PRIMES("bootdyno.subjects.work.PrimesKt.primesUpTo(", "?limit=1000000"),
    COOPERATIVE_PRIMES("bootdyno.subjects.work.CooperativePrimesKt.primesUpToCooperatively(", "?limit=1000000"),

    /** The handler of a style that calls, in whichever subject it holds its thread. */
    CALL("DownstreamController.downstream(", "?mean=200"),
}
