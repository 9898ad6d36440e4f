package bootdyno.dumps

import bootdyno.diagnose.SeenThread
import bootdyno.diagnose.withOwners
import java.time.LocalDateTime

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
}

private const val LONGEST = 40
private val PROCESS = Regex("""(\d{1,12}):?""")
private val TIME = Regex("""\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.]\d{1,9})?""")
private val VERSION = Regex("""\d+[.+][\w.+-]*""")

/** What [of] makes of texts, each made once: a dump repeats its lines many times. */
internal class Interned(private val of: (String) -> String) {
    private val made = HashMap<String, String>()

    operator fun get(text: String): String = made[text] ?: of(text).also { if (made.size < MOST) made[text] = it }
}

/** A dump with more lines that are all different is no dump. */
private const val MOST = 300_000
