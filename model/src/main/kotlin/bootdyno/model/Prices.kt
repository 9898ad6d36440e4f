package bootdyno.model

import kotlinx.serialization.Serializable

/** Prices of one hour: of an instance, or of its CPUs and memory. [currency] is only shown. */
@Serializable
data class Prices(
    val instanceHour: Double? = null,
    val cpuHour: Double? = null,
    val gibHour: Double? = null,
    val currency: String = "",
) {
    /** The price of an instance for an hour; null if something that has a price is unknown. */
    fun ofInstance(cpus: Double?, memory: Double?): Double? {
        if (instanceHour != null) return instanceHour
        val forCpus = cpuHour?.let { (cpus ?: return null) * it } ?: 0.0
        val forMemory = gibHour?.let { (memory ?: return null) / Bytes.GIB * it } ?: 0.0
        return forCpus + forMemory
    }
}
