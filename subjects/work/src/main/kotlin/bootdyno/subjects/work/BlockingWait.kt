package bootdyno.subjects.work

/** Holds the calling thread for [delay], as a slow query or a slow server behind a blocking client does. */
fun waitBlocking(delay: Delay) = Thread.sleep(delay.ms)
