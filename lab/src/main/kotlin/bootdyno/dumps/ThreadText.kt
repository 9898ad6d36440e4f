package bootdyno.dumps

import bootdyno.diagnose.SeenThread

/** One thread, line by line. */
internal class ThreadText(
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

internal data class Owner(val lock: String, val thread: Long)

/** `at java.lang.Thread.sleep(java.base@17.0.15/Native Method)` as a stack trace prints it, without the module. */
internal fun frame(text: String): String {
    val call = text.substring(3).trim()
    val open = call.indexOf('(')
    val slash = call.indexOf('/', open.coerceAtLeast(0))
    val hasModule = open >= 0 && slash >= 0 && '@' in call.substring(open, slash)
    return if (hasModule) call.take(open + 1) + call.substring(slash + 1) else call
}
