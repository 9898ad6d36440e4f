package bootdyno.dumps

import bootdyno.diagnose.SeenThread
import bootdyno.diagnose.withOwners
import java.time.LocalDateTime
import java.time.format.DateTimeParseException

/**
 * Reads the text of `jcmd Thread.print`, `jstack`, `kill -3`, `jcmd Thread.dump_to_file` and the text form of `/actuator/threaddump`, line by
 * line. Each line `Full thread dump`, and each head of a dumped file, begins a dump. Other lines, as of a log around it, are ignored.
 */
internal class ThreadPrint {
    private val dumps = mutableListOf<ReadDump>()
    private val frames = Interned(::frame)
    private var head = Head()

    /** Of the next dump, where this one has no last line, or breaks off. */
    private var later = Head()
    private var form = DumpForm.THREAD_PRINT
    private var threads = mutableListOf<SeenThread>()
    private var cpu = mutableListOf<CpuOfThread>()
    private var owners = mutableMapOf<String, Long>()
    private var thread: ThreadText? = null

    /** The lock whose owner the next line of a deadlock names. */
    private var awaited: String? = null

    /** Between the first line of a dump and the line after its last thread. */
    private var isInside = false

    fun line(raw: String) {
        val line = withoutPrefix(raw)
        val text = line.trim()
        when {
            text.startsWith(BEGIN) -> begin(text)

            text.startsWith('"') || text.startsWith('#') -> header(text)

            text.startsWith(SYNCHRONIZER) -> awaited = ThreadText.lockOf(text)

            text.startsWith(HELD) -> ownedBy(text.removePrefix(HELD).trimEnd('"'))

            !isInside -> head.line(text)

            form == DumpForm.DUMP_TO_FILE && head.isNext(text) -> end(isComplete = true, next = head.next(text))

            text.startsWith("JNI global ref") -> end(isComplete = true)

            else -> {
                later.line(text)
                thread?.line(text, frames)
            }
        }
    }

    /** The dumps up to the end of the text. */
    fun dumps(): List<ReadDump> {
        end(isComplete = hasNoLastLine)
        return dumps.toList()
    }

    private val hasNoLastLine get() = form != DumpForm.THREAD_PRINT

    private fun begin(text: String) {
        end(isComplete = hasNoLastLine, next = if (isInside) later else head)
        isInside = true
        head.jvm = text.substringAfter('(', "").substringBefore(' ').substringBefore(')').ifEmpty { null }
    }

    private fun header(text: String) {
        val read = ThreadText.of(text) ?: return
        // The threads of a deadlock are listed again behind the dump. Without a first line, it is a part of a dump.
        if (!isInside && dumps.isNotEmpty() && read.form == DumpForm.THREAD_PRINT) return
        isInside = true
        endThread()
        form = read.form
        read.cpu?.let { cpu += it }
        thread = read
    }

    /** Without `-l`, only the deadlocks behind the threads of a dump say who owns a lock that is no monitor. */
    private fun ownedBy(name: String) {
        val dump = dumps.removeLastOrNull() ?: return
        val owner = dump.threads.find { it.name == name }
        val owned = awaited?.let { lock -> owner?.let { mapOf(lock to it.id) } }.orEmpty()
        dumps += dump.copy(threads = dump.threads.withOwners(owned))
        awaited = null
    }

    private fun endThread() {
        thread?.let { read ->
            read.seen()?.let { threads += it }
            read.owner?.let { (lock, id) -> owners[lock] = id }
        }
        thread = null
    }

    private fun end(isComplete: Boolean, next: Head = Head(process = head.process)) {
        endThread()
        if (threads.isNotEmpty()) {
            dumps += ReadDump(threads.withOwners(owners), form, head.time, head.process, head.jvm, cpu, isComplete)
        }
        isInside = false
        head = next
        later = Head()
        form = DumpForm.THREAD_PRINT
        threads = mutableListOf()
        cpu = mutableListOf()
        owners = mutableMapOf()
    }

    companion object {
        const val BEGIN = "Full thread dump"
        private const val SYNCHRONIZER = "waiting for ownable synchronizer"
        private const val HELD = "which is held by \""

        /** What the log of a container or of a service writes before each line: `2026-11-26T13:04:45.1Z stdout F `, `shop-1  | `. */
        private val PREFIX =
            Regex("""\d{4}-\d\d-\d\dT\S{8,30} (?:std(?:out|err) [FP] )?|[\w.-]{1,60} +\| ?(?:jvm \d+ +\| \S+ \S+ \| ?)?""")

        private fun withoutPrefix(line: String): String {
            val first = line.firstOrNull()
            if (first == null || !first.isLetterOrDigit()) return line
            return PREFIX.matchAt(line, 0)?.let { line.substring(it.range.last + 1) } ?: line
        }
    }
}

/** What stands before the threads of a dump. */
private class Head(var time: LocalDateTime? = null, var process: Long? = null, var jvm: String? = null) {
    private var number: Long? = null

    fun line(text: String) {
        if (text.length > LONGEST || text.firstOrNull()?.isDigit() != true) return
        PROCESS.matchEntire(text)?.let { process = it.groupValues[1].toLongOrNull() }
        if (time != null && VERSION.matches(text)) jvm = text
        TIME.matchAt(text, 0)?.let { time = timeOf(it.value) }
    }

    /** Whether [text] is the time of the next dumped file; the line before is the number of its process. */
    fun isNext(text: String): Boolean {
        if (text.length > LONGEST || text.firstOrNull()?.isDigit() != true) return false
        PROCESS.matchEntire(text)?.let { number = it.groupValues[1].toLongOrNull() }
        return text.endsWith('Z') && TIME.matchesAt(text, 0)
    }

    fun next(text: String) = Head(TIME.matchAt(text, 0)?.let { timeOf(it.value) }, number)

    private companion object {
        const val LONGEST = 40
        val PROCESS = Regex("""(\d{1,12}):?""")
        val TIME = Regex("""\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.]\d{1,9})?""")
        val VERSION = Regex("""\d+[.+][\w.+-]*""")

        fun timeOf(text: String): LocalDateTime? = try {
            LocalDateTime.parse(text.replace(' ', 'T'))
        } catch (_: DateTimeParseException) {
            null
        }
    }
}

/** One thread, line by line. */
private class ThreadText(
    private val id: Long?,
    private val name: String,
    val form: DumpForm,
    val cpu: CpuOfThread? = null,
    private val isVirtual: Boolean = false,
    private var state: String? = null,
) {
    private val calls = mutableListOf<String>()
    private val locked = mutableListOf<String>()
    private var waitsFor: String? = null

    /** What it waits for, and the thread that owns it; null if the dump does not say it. */
    var owner: Owner? = null
        private set

    /** Whether its frames are over. Further ones are those of a log. */
    private var isOver = false
    private var isCarrier = false

    fun line(text: String, frames: Interned) {
        when {
            // The rest is of a virtual thread, which this one runs: the others are not there.
            isCarrier || text.startsWith("Mounted virtual thread") -> isCarrier = true

            text.startsWith("at ") -> if (!isOver && calls.size < MOST_CALLS) calls += frames[text]

            text.startsWith("- ") -> lock(text)

            text.startsWith(STATE) -> state = text.removePrefix(STATE).trim().substringBefore(' ')

            text.startsWith("Locked ownable synchronizers") -> isOver = true

            text.isEmpty() -> if (calls.isNotEmpty()) isOver = true

            form == DumpForm.DUMP_TO_FILE && !isOver && CALL.matches(text) -> calls += frames["at $text"]

            "Exception" in text || "Error" in text -> isOver = true
        }
    }

    private fun lock(text: String) {
        if (text.length < 5) return
        val lock = lockOf(text)
        when {
            // The JVM calls such a thread runnable.
            text.startsWith(INITIALIZED) -> {
                state = "BLOCKED"
                waitsFor = text.removePrefix(INITIALIZED).trim() + OF_CLASS
            }

            text.startsWith("- waiting ") || text.startsWith("- parking ") -> {
                waitsFor = lock
                owner = OWNER.find(text)?.let { found -> lock?.let { Owner(it, found.groupValues[1].toLong()) } }
            }

            // `- locked <…>`, or `- Locked <…>` and `- <…>` of the synchronizers.
            text[2] == '<' || text.startsWith("locked <", 2, ignoreCase = true) -> lock?.let { locked += it }
        }
    }

    /** Null for a thread of the JVM itself. A thread in `Object.wait` has released what it took last. */
    fun seen(): SeenThread? {
        if (id == null || calls.isEmpty()) return null
        val waits = waitsFor ?: locked.firstOrNull().takeIf { WAIT in calls.first() }
        val initializing = calls.filter { CLINIT in it }.map { it.substringBefore(CLINIT) + OF_CLASS }
        val owns = (locked + initializing).distinct() - listOfNotNull(waits).toSet()
        return SeenThread(id, name, isVirtual || VIRTUAL in calls.last(), state, calls, waits, owns)
    }

    companion object {
        private const val STATE = "java.lang.Thread.State:"
        private const val WAIT = "java.lang.Object.wait"
        private const val INITIALIZED = "- waiting on the Class initialization monitor for "
        private const val CLINIT = ".<clinit>("

        /** In place of the address of an object. */
        private const val OF_CLASS = "@class"

        /** The JVM shows 1,024 frames of a stack unless told otherwise. */
        private const val MOST_CALLS = 2000

        /** `<0x00000000e0be45c0> (a java.util.concurrent.Semaphore)`, or `<java.util.concurrent.Semaphore@7b7fb2f5>`. */
        private val LOCK = Regex("""(?:<(?:([\w.$/]+)@)?(?:0x)?|synchronizer 0x)([0-9a-f]{1,16})(?:>|,)(?: \(an? ([^)]+)\))?""")
        private val OWNER = Regex("""owne[rd](?: by)?(?: ".*" t@| #)(\d{1,18})$""")
        private val ACTUATOR = Regex(""" - Thread t@(\d{1,18})""")
        private val PRINTED = Regex("""^ #(\d{1,18})\b""")

        /** Before JDK 8, it is the only number. */
        private val ADDRESS = Regex("""\btid=0x([0-9a-f]{1,16})\b""")
        private val DUMPED = Regex("""#(\d{1,18}) "(.*)"( virtual)?(?: ([A-Z_]+))?(?: \d{4}-\S+)?""")
        private val CPU = Regex("""\bcpu=([0-9.]{1,20})ms elapsed=([0-9.]{1,20})s""")

        /** A call in a dumped file of JDK 21 to 24, without `at`. */
        private val CALL = Regex("""[\w.$/@<>-]+\([^()]*\)""")

        /** `Semaphore$NonfairSync@e0be45c0`; null if the text shows no object. */
        fun lockOf(text: String): String? = LOCK.find(text)?.destructured?.let { (before, address, after) ->
            val type = before.ifEmpty { after }
            if (type.isEmpty()) null else "$type@" + address.trimStart('0')
        }

        /** Null if [text] is no header of a thread: a line of a log may begin with a quote. */
        fun of(text: String): ThreadText? {
            if (text.startsWith('#')) return dumped(text)
            val end = text.lastIndexOf('"').takeIf { it > 0 } ?: return null
            val name = text.substring(1, end)
            val rest = text.substring(end + 1)
            ACTUATOR.matchEntire(rest)?.let { return ThreadText(it.groupValues[1].toLong(), name, DumpForm.ACTUATOR) }
            val number = PRINTED.find(rest)?.groupValues?.get(1)?.toLong()
            if (number == null && " os_prio=" !in rest && " tid=0x" !in rest) return null
            val used = CPU.find(rest)?.destructured?.let { (cpu, age) ->
                val millis = cpu.toDoubleOrNull()
                val seconds = age.toDoubleOrNull()
                if (millis == null || seconds == null) null else CpuOfThread(number, name, millis / 1e3, seconds)
            }
            val id = number ?: ADDRESS.find(rest)?.groupValues?.get(1)?.toULong(radix = 16)?.toLong()
            return ThreadText(id, name, DumpForm.THREAD_PRINT, used)
        }

        private fun dumped(text: String): ThreadText? {
            val (id, name, virtual, state) = DUMPED.matchEntire(text)?.destructured ?: return null
            val stated = state.ifEmpty { null }
            return ThreadText(id.toLong(), name, DumpForm.DUMP_TO_FILE, isVirtual = virtual.isNotEmpty(), state = stated)
        }
    }
}

/** The outermost call of a virtual thread; files of JDK 21 to 24 say nothing else of it. */
internal const val VIRTUAL = "java.lang.VirtualThread.run("

private data class Owner(val lock: String, val thread: Long)

/** `at java.lang.Thread.sleep(java.base@17.0.15/Native Method)` as a stack trace prints it, without the module. */
private fun frame(text: String): String {
    val call = text.substring(3).trim()
    val open = call.indexOf('(')
    val slash = call.indexOf('/', open.coerceAtLeast(0))
    val hasModule = open >= 0 && slash >= 0 && '@' in call.substring(open, slash)
    return if (hasModule) call.take(open + 1) + call.substring(slash + 1) else call
}

/** What [of] makes of texts, each made once: a dump repeats its lines many times. */
internal class Interned(private val of: (String) -> String) {
    private val known = HashMap<String, String>()

    operator fun get(text: String): String = known[text] ?: of(text).also { if (known.size < MOST) known[text] = it }

    private companion object {
        /** A dump with more lines that are all different is no dump. */
        const val MOST = 300_000
    }
}
