package bootdyno.run

import bootdyno.model.Bytes
import bootdyno.model.Series

/** A subject being watched from outside, once a second, from its first good answer to its end. */
interface Observation : AutoCloseable {
    /** CPU seconds of the optimising compiler so far; null where there is none or it cannot be seen. */
    fun c2CpuSeconds(): Double?

    /** The committed heap as last read; null where there is none. */
    fun heapCommitted(): Bytes?

    /** Threads alive now, by family. */
    fun threadFamilies(): Map<String, Int>

    fun jvmFacts(): Map<String, String>

    fun peakRss(): Bytes?

    /** Ends the sampling and returns what was seen. */
    fun finish(): Series
}
