package bootdyno.model

import kotlinx.serialization.Serializable

/** An amount of memory, in bytes; written in files with a binary unit, `1 GiB`. */
@JvmInline
@Serializable
value class Bytes(val count: Long) : Comparable<Bytes> {
    override fun compareTo(other: Bytes) = count.compareTo(other.count)

    companion object {
        const val KIB = 1024L
        const val MIB = 1024 * KIB
        const val GIB = 1024 * MIB
    }
}
