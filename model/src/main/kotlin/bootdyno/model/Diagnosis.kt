package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * `diagnosis.json`: what was observed in a trial after its window, while the same load went on. Observation may be costly there: no figure
 * of the window contains it. Times are seconds since the start of the trial. What could not be observed is empty or null, and [missing] says why.
 */
@Serializable
data class Diagnosis(
    val schemaVersion: Int = 1,
    val from: Double,
    val to: Double,
    /** Successful requests per second meanwhile. Lower than in the window, because observing costs time. */
    val answeredPerSecond: Double? = null,
    /** Response times of single requests after the load, in seconds; empty where those before the load are enough. */
    val aloneRequests: List<Double> = emptyList(),
    val stacks: StackTable = StackTable(),
    val dumps: List<ThreadDump> = emptyList(),
    /** Attributes of MBeans, repeatedly. */
    val beans: List<BeanReading> = emptyList(),
    val sockets: List<SocketReading> = emptyList(),
    val threadCpu: List<ThreadCpu> = emptyList(),
    /** Share of the time in which at least one task waited, by resource (`cpu`, `io`, `memory`): pressure stall information of Linux. */
    val pressure: Map<String, Double> = emptyMap(),
    val profile: Profile? = null,
    /** Sessions of a database that Boot Dyno started; null for others. */
    val database: DatabaseActivity? = null,
    /** Live objects by class name, for classes of pooled connections and of coroutines that wait. */
    val pooledObjects: Map<String, Long> = emptyMap(),
    /** Effective values of settings, as the application reports them. */
    val settings: Map<String, String> = emptyMap(),
    /** Limits that were changed after the observation; empty if none was to be. */
    val moved: List<MovedLimit> = emptyList(),
    /** Sentences: what could not be observed, and why. */
    val missing: List<String> = emptyList(),
    /** Whether it ended before its usual time, because further thread dumps would have shown the same. */
    val endedEarly: Boolean = false,
)

/** Stacks, each stored once. [frames]: `java.lang.Thread.sleep(Thread.java:540)`. A stack lists indexes of frames, innermost first. */
@Serializable
data class StackTable(val frames: List<String> = emptyList(), val stacks: List<List<Int>> = emptyList()) {
    /** The [frames], each read once: it is on many stacks. */
    val calls: List<Frame> by lazy { frames.map(Frame::parse) }

    fun stack(index: Int): List<Frame> = stacks[index].map(calls::get)
}

/** One call on a stack. [type] is the full name of the class, without module; [line] is null in native methods and generated code. */
data class Frame(val type: String, val method: String, val line: Int? = null) {
    /** `java.lang.Thread.sleep`. */
    val call: String = "$type.$method"

    /** `OrderRepository.findAll, line 42`. */
    override fun toString(): String = "${type.substringAfterLast('.')}.$method" + line?.let { ", line $it" }.orEmpty()

    companion object {
        /** What stands behind the name of a class that the JVM made: `Orders$$Lambda/0x00007f48ac00a480`. */
        private val MADE = Regex("""/(0x[0-9a-f]+|\d+)(?=[.])""")

        /**
         * What a Java stack trace prints, `java.base/java.lang.Thread.sleep(Thread.java:540)`, without loader and module, and without what
         * differs in each process.
         */
        fun plain(text: String): String {
            val call = text.substringBefore('(')
            return MADE.replace(call, "").substringAfterLast('/') + text.removePrefix(call)
        }

        /** Reads what a Java stack trace prints. */
        fun parse(text: String): Frame {
            val call = plain(text).substringBefore('(')
            val line = text.substringAfter('(', "").substringBefore(')').substringAfterLast(':', "").toIntOrNull()
            return Frame(call.substringBeforeLast('.', ""), call.substringAfterLast('.'), line)
        }
    }
}

/** All threads [at] a moment. The JVM reads one thread after the other, for [seconds] in all: counts of one dump are close, not exact. */
@Serializable
data class ThreadDump(val at: Double, val seconds: Double, val threads: List<DumpedThreads>)

/** [count] threads of one dump that are equal in everything below. */
@Serializable
data class DumpedThreads(
    val count: Int = 1,
    /** Without the number at its end: `http-nio-8080-exec-`. Empty for virtual threads without a name. */
    val name: String,
    val virtual: Boolean = false,
    /** A [java.lang.Thread.State]; null where a dump does not have it: virtual threads before JDK 25. */
    val state: String? = null,
    /** Index in [Diagnosis.stacks]. */
    val stack: Int,
    /** The monitor or the blocker of its park: `java.util.concurrent.Semaphore$NonfairSync@5aa9e4eb`; null if unknown or none. */
    val waitsFor: String? = null,
    /** Monitors and locks that it owns, in the form of [waitsFor]. */
    val owns: List<String> = emptyList(),
    /** The executor that started it: `java.util.concurrent.ThreadPoolExecutor@130d63be`; null if unknown or none. */
    val executor: String? = null,
)

/** Numeric attributes of one MBean. [bean] is its object name: `com.zaxxer.hikari:type=Pool (HikariPool-1)`. */
@Serializable
data class BeanReading(val at: Double, val bean: String, val values: Map<String, Double>)

/** Established TCP connections of the subject. */
@Serializable
data class SocketReading(
    val at: Double,
    /** Connections that clients opened. */
    val inbound: Int,
    /** Connections that the subject opened, by peer: `127.0.0.1:5432`. */
    val outbound: Map<String, Int>,
    /** Connections in its accept queues; null if unreadable. */
    val listenQueue: Int? = null,
)

/** Threads of one kernel name (at most 15 characters, without the number at its end), over the whole diagnosis. */
@Serializable
data class ThreadCpu(
    val name: String,
    val threads: Int,
    /** CPU time of all of them, CPU seconds per second. */
    val cpus: Double,
    /** CPU time of the busiest of them, CPU seconds per second: 1 is one full CPU. */
    val busiest: Double,
    /** Run-queue wait of all of them, seconds per second; null if the kernel does not count it. */
    val waiting: Double? = null,
)

/** What JDK Flight Recorder sampled. Stacks are indexes in [Diagnosis.stacks]. */
@Serializable
data class Profile(
    /** Number of samples by stack. */
    val cpu: List<StackWeight> = emptyList(),
    /**
     * What [cpu] counts: `jdk.CPUTimeSample` (CPU time, in native code too: JDK 25 on Linux), otherwise `jdk.ExecutionSample` (Java code); null
     * without samples.
     */
    val cpuEvent: String? = null,
    /** `jdk.ObjectAllocationSample`: bytes by stack. */
    val allocation: List<StackWeight> = emptyList(),
    /** `jdk.JavaMonitorEnter`, `jdk.ThreadPark`, `jdk.SocketRead`, `jdk.VirtualThreadPinned`: seconds by event and stack. */
    val waits: Map<String, List<StackWeight>> = emptyMap(),
    /** Pauses for garbage collection, seconds each. */
    val gcPauses: List<Double> = emptyList(),
)

@Serializable
data class StackWeight(val stack: Int, val weight: Double)

/** Sessions of the subject in PostgreSQL, from `pg_stat_activity`. */
@Serializable
data class DatabaseActivity(val readings: List<SessionsReading>)

@Serializable
data class SessionsReading(val at: Double, val sessions: List<Sessions>)

/** [count] sessions in the same state. */
@Serializable
data class Sessions(
    val count: Int,
    /** `active`, `idle`, `idle in transaction`… */
    val state: String,
    /** `Lock`, `LWLock`, `IO`, `Client`…; null if it does not wait. */
    val waitType: String? = null,
    /** `transactionid`, `tuple`, `ClientRead`… */
    val wait: String? = null,
    /** The statement, without its values. */
    val statement: String? = null,
    /** Longest time in this state, seconds. */
    val longestSeconds: Double? = null,
) {
    val isIdle: Boolean get() = state == "idle"
    val isActive: Boolean get() = state == "active"

    /** Without a statement, in a transaction that goes on or has failed. */
    val isIdleInTransaction: Boolean get() = state.startsWith("idle in transaction")
    val waitsForLock: Boolean get() = waitType == "Lock"
}
