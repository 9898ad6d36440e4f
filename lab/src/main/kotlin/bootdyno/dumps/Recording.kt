package bootdyno.dumps

import bootdyno.catalogue.CATALOGUE
import bootdyno.diagnose.FlightEvents
import bootdyno.diagnose.SeenThread
import bootdyno.diagnose.StackTableBuilder
import bootdyno.diagnose.callsOf
import bootdyno.model.BeanReading
import bootdyno.model.CpuSeen
import bootdyno.model.Profile
import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordedStackTrace
import jdk.jfr.consumer.RecordedThread
import jdk.jfr.consumer.RecordingFile
import java.io.IOException
import java.nio.file.Path
import java.time.Instant
import java.time.LocalDateTime
import java.time.ZoneOffset

/** What a recording of JDK Flight Recorder shows of its process. */
internal class RecordedApplication(private val events: FlightEvents, private val facts: RecordedFacts) {
    val stacks = StackTableBuilder()

    /** Its thread dumps; where it has too few, [MOMENTS] that are put together from its waits and samples. */
    val dumps: List<ReadDump> by lazy {
        facts.printed.takeIf { it.size >= FEWEST_ALONE } ?: facts.waits.moments().ifEmpty { facts.printed }
    }
    val settings: Map<String, String> = facts.settings
    val jvm: String? = facts.jvm
    val heap: BeanReading? = facts.heap?.let { BeanReading(0.0, "java.lang:type=Memory", mapOf("HeapMemoryUsage.max" to it)) }

    fun profile(): Profile = events.profile(stacks)

    val cpu: CpuSeen? by lazy {
        val loads = facts.loads.ifEmpty { return@lazy null }
        val machine = facts.machineCpus ?: return@lazy null
        val span = facts.seconds
        CpuSeen(
            used = loads.average() * machine,
            cpus = facts.quota ?: machine,
            collecting = if (span > 0) (profile().gcPauses.sum() / span).coerceAtMost(1.0) else null,
        )
    }
}

/** Null if it is damaged, or has no event. */
internal fun readRecording(file: Path): RecordedApplication? = try {
    val events = FlightEvents()
    val facts = RecordedFacts()
    RecordingFile(file).use { recording ->
        while (recording.hasMoreEvents()) {
            val event = recording.readEvent()
            events.add(event)
            facts.add(event)
        }
    }
    if (facts.isEmpty) null else RecordedApplication(events, facts)
} catch (_: IOException) {
    null
} catch (_: RuntimeException) {
    // The JDK's parser does not check what it reads.
    null
}

/** Events other than those of a profile. */
internal class RecordedFacts {
    val printed = mutableListOf<ReadDump>()
    val loads = mutableListOf<Double>()
    val settings = mutableMapOf<String, String>()
    val waits = RecordedWaits()
    var machineCpus: Double? = null
        private set
    var quota: Double? = null
        private set
    var heap: Double? = null
        private set
    var jvm: String? = null
        private set
    private var first: Instant? = null
    private var last: Instant? = null
    val isEmpty: Boolean get() = first == null

    /** From the first to the last event. */
    val seconds: Double get() = first?.let { java.time.Duration.between(it, last).toMillis() / 1e3 } ?: 0.0

    fun add(event: RecordedEvent) {
        if (first?.isBefore(event.startTime) != true) first = event.startTime
        if (last?.isAfter(event.endTime) != true) last = event.endTime
        when (event.eventType.name) {
            "jdk.ThreadDump" -> printed(event)

            "jdk.CPULoad" -> loads += event.getFloat("jvmUser").toDouble() + event.getFloat("jvmSystem")

            "jdk.CPUInformation" -> machineCpus = event.getInt("hwThreads").toDouble()

            "jdk.ContainerConfiguration" -> quota = quotaOf(event.getLong("cpuQuota"), event.getLong("cpuSlicePeriod"))

            "jdk.GCHeapConfiguration" -> heap = event.getLong("maxSize").toDouble().takeIf { it > 0 }

            "jdk.JVMInformation" ->
                jvm = event.getString("jvmVersion")?.substringAfter('(', "")?.substringBefore(')')?.ifEmpty { null }

            "jdk.InitialSystemProperty" -> setting(event.getString("key"), event.getString("value"))

            else -> waits.add(event)
        }
    }

    private fun printed(event: RecordedEvent) {
        val reader = ThreadPrint()
        event.getString("result").orEmpty().lineSequence().forEach(reader::line)
        val time = LocalDateTime.ofInstant(event.startTime, ZoneOffset.UTC)
        printed += reader.dumps().map { it.copy(form = DumpForm.RECORDING, time = time, isComplete = true) }
    }

    /** Only sizes of known resources: other properties may be secret. */
    private fun setting(key: String?, value: String?) {
        if (key in SIZES && key != null && value != null) settings[key] = value
    }

    private fun quotaOf(quota: Long, period: Long): Double? = if (quota > 0 && period > 0) quota.toDouble() / period else null
}

private val SIZES = CATALOGUE.mapNotNull { it.setting?.key }.toSet()

/** Waits of threads with their begin and end, and samples of those that ran: together they show what threads did at a moment. */
internal class RecordedWaits {
    private class Span(val thread: RecordedThread, val from: Long, val to: Long, val seen: SeenThread)

    private val spans = mutableListOf<Span>()

    /** A recording has one object per stack, however many events it has. */
    private val calls = HashMap<RecordedStackTrace, List<String>>()

    fun add(event: RecordedEvent) {
        if (spans.size >= MOST) return
        when (event.eventType.name) {
            FlightEvents.MONITOR -> add(event, "BLOCKED", "monitorClass")
            "jdk.JavaMonitorWait" -> add(event, "WAITING", "monitorClass")
            FlightEvents.PARK -> add(event, "WAITING", "parkedClass")
            "jdk.ThreadSleep" -> add(event, "TIMED_WAITING", null)
            FlightEvents.SOCKET_READ -> add(event, "RUNNABLE", null, READ)
            FlightEvents.CPU_TIME -> add(event, "RUNNABLE", null)
            FlightEvents.EXECUTION -> add(event, "RUNNABLE", null)
        }
    }

    private fun add(event: RecordedEvent, state: String, type: String?, top: List<String> = emptyList()) {
        val thread = (if (event.hasField("sampledThread")) event.getThread("sampledThread") else event.thread) ?: return
        val stack =
            event.stackTrace?.let { calls.getOrPut(it) { callsOf(it).dropWhile(::isOfRecorder) } }?.ifEmpty { null } ?: return
        val lock = type?.let { event.getClass(it)?.name }?.let { "$it@" + java.lang.Long.toHexString(event.getLong("address")) }
        val name = thread.javaName.orEmpty()
        val seen = SeenThread(thread.javaThreadId, name, thread.isVirtual, state, top + stack, lock.takeIf { type != null })
        val isSample = event.duration.isZero
        val from = event.startTime.toEpochMilli() - if (isSample) SAMPLE_MILLIS else 0
        val to = event.endTime.toEpochMilli() + if (isSample) SAMPLE_MILLIS else 0
        spans += Span(thread, from, to, seen)
    }

    /**
     * Dumps at [MOMENTS] moments in a row, of [CANDIDATES], in which the most threads work: a recording is often longer than what it was made for.
     * Waits that last when it ends are not in it, so that its end shows too few.
     */
    fun moments(): List<ReadDump> {
        fun waits(span: Span) = span.seen.state != "RUNNABLE" || span.seen.calls.first() == READ.first()
        val waits = spans.filter(::waits).ifEmpty { return emptyList() }
        val from = waits.minOf { it.from }
        val length = waits.maxOf { it.to } - from
        val dumps = (0 until CANDIDATES).map { candidate ->
            dumpAt(from + (length * (BEGIN + (END - BEGIN) * candidate / (CANDIDATES - 1))).toLong())
        }
        return dumps.windowed(MOMENTS).maxBy { row -> row.sumOf { dump -> dump.threads.count { it.calls.size >= DEEP } } }
    }

    private fun dumpAt(millis: Long): ReadDump {
        // A thread that waits does not run, although it was sampled just before.
        val threads = spans.filter { millis in it.from..it.to }.groupBy { it.thread.javaThreadId }.values
            .map { same -> (same.find { it.seen.state != "RUNNABLE" } ?: same.first()).seen }
        val time = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC)
        return ReadDump(threads, DumpForm.RECORDING, time)
    }
}

/** The call below that of the event, which has the stack of its caller. */
private val READ = listOf("sun.nio.ch.NioSocketImpl.read()")
private const val MOST = 2_000_000
private const val MOMENTS = 20
private const val CANDIDATES = 60
private const val BEGIN = 0.05
private const val END = 0.9

/** Calls of a thread that works on a request of a web framework; one without work has fewer. */
private const val DEEP = 25

/** Samples are 10 to 20 ms apart. */
private const val SAMPLE_MILLIS = 10L

/** Calls that record an event. */
private val RECORDING = listOf("jdk.internal.event.", "jdk.jfr.", "java.lang.Thread.afterSleep(", "java.lang.Thread.beforeSleep(")

private fun isOfRecorder(call: String) = RECORDING.any(call::startsWith)
