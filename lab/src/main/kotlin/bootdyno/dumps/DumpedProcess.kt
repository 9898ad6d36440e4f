package bootdyno.dumps

import bootdyno.diagnose.SeenThread
import bootdyno.diagnose.StackTableBuilder
import bootdyno.diagnose.withoutNumber
import bootdyno.model.CpuSeen
import bootdyno.model.Diagnosis
import bootdyno.model.DumpedApplication
import bootdyno.model.DumpedApplication.VirtualThreads
import bootdyno.model.ThreadCpu
import bootdyno.model.ThreadDump
import java.time.Duration
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter
import kotlin.math.roundToLong

/** The dumps of one process and its [recording] as one diagnosis; null without any. */
internal fun application(dumps: List<ReadDump>, recording: RecordedApplication?): DumpedApplication? {
    val whole = dumps.filter { it.isComplete }.ifEmpty { dumps }
    // A copy of a dump is no further observation.
    val given = whole.distinctBy { dump -> dump.time to dump.threads }
    val recorded = recording?.dumps.orEmpty()
    val used = inOrder(if (recorded.size > given.size && given.size < FEWEST_ALONE) recorded else given)
    if (used.isEmpty() && recording == null) return null
    val stacks = recording?.stacks ?: StackTableBuilder()
    val threads = withStableObjects(used.map { it.dump })
    val unchanged = unchanged(threads, stacks)
    val cpu = cpuOf(used.map { it.dump })
    val diagnosis = Diagnosis(
        from = 0.0,
        to = used.lastOrNull()?.at ?: 0.0,
        dumps = used.zip(threads) { placed, all -> ThreadDump(placed.at, 0.0, stacks.grouped(all)) },
        threadCpu = cpu.orEmpty(),
        profile = recording?.profile(),
        stacks = stacks.build(),
        beans = listOfNotNull(recording?.heap),
        settings = recording?.settings.orEmpty(),
    )
    return DumpedApplication(
        diagnosis = diagnosis,
        forms = used.groupingBy { it.dump.form.words }.eachCount(),
        process = used.firstNotNullOfOrNull { it.dump.process },
        jvm = used.firstNotNullOfOrNull { it.dump.jvm } ?: recording?.jvm,
        firstAt = used.firstOrNull()?.dump?.time?.let(SHOWN::format),
        lastAt = used.lastOrNull()?.dump?.time?.let(SHOWN::format),
        unchanged = unchanged,
        hasStates = threads.isEmpty() || threads.any { dump -> dump.any { it.state != null } },
        virtualThreads = virtualThreads(used.map { it.dump }),
        cpu = recording?.cpu ?: cpu?.let(::cpuSeen),
    )
}

/** So many dumps prove what those of a recording could. */
internal const val FEWEST_ALONE = 5

private val SHOWN: DateTimeFormatter = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")

private class Placed(val dump: ReadDump, val at: Double)

/** By time. Dumps without one are as they were given, one second apart. */
private fun inOrder(dumps: List<ReadDump>): List<Placed> {
    if (dumps.all { it.age != null }) {
        val first = dumps.minOfOrNull { it.age ?: 0.0 } ?: 0.0
        return dumps.sortedBy { it.age }.map { Placed(it, (it.age ?: 0.0) - first) }
    }
    if (dumps.any { it.time == null }) return dumps.mapIndexed { index, dump -> Placed(dump, index.toDouble()) }
    val zone = zoneOf(dumps)
    fun time(dump: ReadDump): LocalDateTime = checkNotNull(dump.time).let { if (dump.form.isUtc) it else it.minus(zone) }
    val first = dumps.minOf(::time)
    return dumps.sortedBy(::time).map { Placed(it, Duration.between(first, time(it)).toMillis() / 1e3) }
}

/** What the clock of the application's machine is ahead of UTC, in quarters of an hour, where dumps have both. */
private fun zoneOf(dumps: List<ReadDump>): Duration {
    val (utc, local) = dumps.partition { it.form.isUtc }
    if (utc.isEmpty() || local.isEmpty()) return Duration.ZERO
    val ahead = Duration.between(utc.minOf { checkNotNull(it.time) }, local.minOf { checkNotNull(it.time) })
    return Duration.ofMinutes((ahead.toSeconds() / 900.0).roundToLong() * 15)
}

/** Threads with the same stack in all dumps, by the index of the stack. */
private fun unchanged(dumps: List<List<SeenThread>>, stacks: StackTableBuilder): Map<Int, Int> {
    if (dumps.size < 2) return emptyMap()
    val first = dumps.first().associate { it.id to it.calls }
    return dumps.drop(1).fold(first) { same, dump ->
        val now = dump.associate { it.id to it.calls }
        same.filter { (id, calls) -> now[id] == calls }
    }.values.filter { it.isNotEmpty() }.groupingBy { stacks.indexOf(it) }.eachCount()
}

private fun virtualThreads(dumps: List<ReadDump>): VirtualThreads {
    val hiding = dumps.filter { it.form == DumpForm.THREAD_PRINT || it.form == DumpForm.ACTUATOR }.flatMap { it.threads }
    return when {
        dumps.any { dump -> dump.threads.any { it.virtual } } -> VirtualThreads.SHOWN
        hiding.any { thread -> thread.name == UNPARKER || thread.calls.any { CARRIER in it } } -> VirtualThreads.HIDDEN
        else -> VirtualThreads.NONE_SEEN
    }
}

/** Threads of the JVM that serve virtual threads. */
private const val UNPARKER = "VirtualThread-unparker"
private const val CARRIER = "java.lang.VirtualThread.runContinuation("

/** CPU time of threads between the first and the last dump that has it; null without both. */
private fun cpuOf(dumps: List<ReadDump>): List<ThreadCpu>? {
    val timed = dumps.filter { it.age != null }
    val first = timed.firstOrNull() ?: return null
    val last = timed.last()
    val seconds = (last.age ?: 0.0) - (first.age ?: 0.0)
    if (seconds < SHORTEST) return null
    fun key(thread: CpuOfThread) = thread.id?.toString() ?: thread.name
    val before = first.cpu.associate { key(it) to it.seconds }
    val grown = last.cpu.map { it.name to ((it.seconds - (before[key(it)] ?: 0.0)) / seconds).coerceAtLeast(0.0) }
    return grown.groupBy({ withoutNumber(it.first) }, { it.second })
        .map { (name, cpus) -> ThreadCpu(name, cpus.size, cpus.sum(), cpus.max()) }.sortedByDescending { it.cpus }
}

/** Seconds between dumps from which on CPU time is more than that of the dumps themselves. */
private const val SHORTEST = 0.5

private fun cpuSeen(threads: List<ThreadCpu>): CpuSeen {
    val used = threads.sumOf { it.cpus }
    fun of(names: Regex) = threads.filter { names.matches(it.name) }
    // The serial collector works in the thread of the JVM's own operations.
    val collector = of(COLLECTOR).ifEmpty { of(Regex("VM Thread")) }
    return CpuSeen(
        used = used,
        compiling = (of(COMPILER).sumOf { it.cpus } / used).takeIf { used > 0 },
        collecting = collector.maxOfOrNull { it.busiest }?.coerceAtMost(1.0),
    )
}

private val COMPILER = Regex("C[12] CompilerThread")
private val COLLECTOR = Regex("(ParGC|GC) Thread#?")
