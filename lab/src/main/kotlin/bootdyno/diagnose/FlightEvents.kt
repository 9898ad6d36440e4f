package bootdyno.diagnose

import bootdyno.model.Profile
import bootdyno.model.StackWeight
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordedFrame
import jdk.jfr.consumer.RecordedStackTrace
import java.time.Duration

/** Adds up events of JDK Flight Recorder by stack, without those of threads that work for this diagnosis. */
internal class FlightEvents {
    private val weights = mutableMapOf<String, MutableMap<List<String>, Double>>()
    private val gcPauses = mutableListOf<Double>()

    /** A recording has one object per stack, however many events it has. */
    private val written = HashMap<RecordedStackTrace, List<String>>()

    fun add(event: RecordedEvent) {
        when (val type = event.eventType.name) {
            CPU_TIME -> add(event, type, event.thread?.javaName, event.getDuration("samplingPeriod") / SAMPLING)
            EXECUTION -> add(event, type, event.getThread("sampledThread")?.javaName, 1.0)
            ALLOCATION -> add(event, type, event.thread?.javaName, event.getLong("weight").toDouble())
            in WAITS -> add(event, type, event.thread?.javaName, event.seconds)
            GC_PAUSE -> gcPauses += event.seconds
        }
    }

    fun profile(stacks: StackTableBuilder): Profile {
        fun of(type: String, most: Int) = heaviest(weights[type].orEmpty(), most, stacks)
        val sampled = listOf(CPU_TIME, EXECUTION).find { it in weights }
        return Profile(
            cpu = sampled?.let { of(it, MOST_SAMPLED) }.orEmpty(),
            cpuEvent = sampled,
            allocation = of(ALLOCATION, MOST_ALLOCATING),
            waits = WAITS.associateWith { of(it, MOST_WAITING) }.filterValues { it.isNotEmpty() },
            gcPauses = gcPauses,
        )
    }

    private fun add(event: RecordedEvent, type: String, thread: String?, weight: Double) {
        val stack = event.stackTrace ?: return
        if (OBSERVERS.any { thread.orEmpty().startsWith(it) }) return
        val frames = written.getOrPut(stack) { callsOf(stack) }
        weights.getOrPut(type, ::mutableMapOf).merge(frames, weight, Double::plus)
    }

    companion object {
        /** CPU time of threads, in native code too: JDK 25, on Linux. */
        const val CPU_TIME = "jdk.CPUTimeSample"

        /** Java code only. */
        const val EXECUTION = "jdk.ExecutionSample"
        const val ALLOCATION = "jdk.ObjectAllocationSample"
        const val MONITOR = "jdk.JavaMonitorEnter"
        const val PARK = "jdk.ThreadPark"
        const val SOCKET_READ = "jdk.SocketRead"
        const val PINNED = "jdk.VirtualThreadPinned"
        const val GC_PAUSE = "jdk.GCPhasePause"

        /** Samples of less CPU time are rare: many kernels count it in steps of 4 ms. */
        val SAMPLING: Duration = Duration.ofMillis(5)

        private val WAITS = listOf(MONITOR, PARK, SOCKET_READ, PINNED)

        // A stack of a Spring application takes about 400 bytes of JSON.
        private const val MOST_SAMPLED = 1500
        private const val MOST_ALLOCATING = 300
        private const val MOST_WAITING = 200
    }
}

/** At most [most] of them: the lightest are one entry. */
internal fun heaviest(weights: Map<List<String>, Double>, most: Int, stacks: StackTableBuilder): List<StackWeight> {
    val sorted = weights.entries.sortedByDescending { it.value }
    val kept = if (sorted.size > most) sorted.take(most - 1) else sorted
    val rest = sorted.drop(kept.size).sumOf { it.value }
    return kept.map { (frames, weight) -> StackWeight(stacks.indexOf(frames), weight) } +
        listOfNotNull(rest.takeIf { it > 0 }?.let { StackWeight(stacks.indexOf(listOf(REST)), it) })
}

/** The one frame of the entry for all stacks beyond a limit. */
private const val REST = "rarer stacks"

private val RecordedEvent.seconds: Double get() = duration.toNanos() / 1e9

private operator fun Duration.div(other: Duration): Double = toNanos().toDouble() / other.toNanos()

/** As stack traces print them: without hidden classes, which are those of lambdas and method handles. */
internal fun callsOf(stack: RecordedStackTrace): List<String> =
    stack.frames.filter { !HIDDEN_CLASS.containsMatchIn(it.method.type.name) }.map(::call)

/** Without the name of the file, which a recording does not have. */
private fun call(frame: RecordedFrame): String {
    val type = frame.method.type.name.replace(START_NUMBER, "")
    return "$type.${frame.method.name}(" + (if (frame.lineNumber > 0) ":${frame.lineNumber}" else "") + ")"
}

/** `Orders$$Lambda.0x00007f1c5800a000`; `Orders$$Lambda$230+0x00007f9dc4154850.1340565491` in JDK 17. */
private val HIDDEN_CLASS = Regex("""[/+.]0x[0-9a-f]+""")

/** Numbers of generated classes, which differ from start to start: `$Proxy57`, `GeneratedMethodAccessor12`. */
private val START_NUMBER = Regex("""(?<=[$]Proxy|Accessor)\d+$""")
