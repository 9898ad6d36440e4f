package bootdyno.subjects.work.contract

/** Threads of one pool: platform or virtual, their names beginning with [prefix]. */
data class ThreadFamily(val prefix: String, val virtual: Boolean = false) {
    companion object {
        /**
         * The threads behind a word of the descriptor; those of [requestThread] depend on the stack and its settings. A
         * semaphore limits how many of them work at once.
         */
        fun named(occupies: String, requestThread: ThreadFamily): ThreadFamily = when (occupies) {
            "request-thread", "semaphore" -> requestThread
            "event-loop" -> ThreadFamily("reactor-http-")
            "dispatchers-io", "dispatchers-default" -> ThreadFamily("DefaultDispatcher-worker-")
            "bounded-elastic" -> ThreadFamily("boundedElastic-")
            "parallel" -> ThreadFamily("parallel-")
            "cached-pool" -> ThreadFamily("cached-pool-")
            "fixed-pool" -> ThreadFamily("cpu-pool-")
            else -> error("no thread works where a style occupies '$occupies'")
        }
    }
}
