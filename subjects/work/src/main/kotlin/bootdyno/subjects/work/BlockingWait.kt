package bootdyno.subjects.work

/** Blocks the calling thread for [delay], like a slow query or a blocking HTTP client. */
fun waitBlocking(delay: Delay) = Thread.sleep(delay.ms)
