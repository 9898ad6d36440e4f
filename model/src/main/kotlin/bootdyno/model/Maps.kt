package bootdyno.model

/** The values of those keys that have one. */
inline fun <K, V : Any> Iterable<K>.associateWithNotNull(valueOf: (K) -> V?): Map<K, V> =
    mapNotNull { key -> valueOf(key)?.let { key to it } }.toMap()
