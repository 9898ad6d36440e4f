package bootdyno.model

/** From this share of the time on, the garbage collector is noticed in the throughput. */
const val COLLECTING_NOTICEABLY = 0.03

/**
 * Whether a subject that uses [cpuShare] of its CPU limit, compilers included, has CPU to spare: even at twice the CPU time per request it
 * would not reach the limit. A busy compiler then takes nothing away from requests, and slow code hardly delays them.
 */
fun hasCpuToSpare(cpuShare: Double?): Boolean = cpuShare != null && cpuShare < 0.5

/**
 * Whether C2, which waited for a CPU for [waitShare] of the time, is starved. A starved C2 always runs or waits: under saturating load on one
 * CPU it waited for 50 to 95 % of the time, and for up to 11 % when it had finished.
 */
fun isStarved(waitShare: Double): Boolean = waitShare > 0.2
