package bootdyno.diagnose

import bootdyno.model.ThreadDump
import bootdyno.probe.JvmConnection
import bootdyno.system.PROC
import bootdyno.system.ioOrNull
import java.lang.management.ManagementFactory
import java.lang.management.ThreadInfo
import java.lang.management.ThreadMXBean
import java.nio.file.FileSystemException
import java.nio.file.Files
import java.nio.file.Path
import javax.management.JMException
import javax.management.JMRuntimeException
import javax.management.ObjectName
import kotlin.io.path.exists

private val DIAGNOSTIC = ObjectName("com.sun.management:type=HotSpotDiagnostic")
private const val DUMP = "dumpThreads"
private const val STRING = "java.lang.String"

/** Synchronizers with one owner: `ReentrantLock$NonfairSync`, `ReentrantReadWriteLock$FairSync`. */
private val OWNABLE = Regex("Lock\\$(Non)?[fF]airSync$")

/** Owners of locks are read for a fifth of the time at most: with 200 threads that takes a second, and a few are enough. */
private const val OWNERS_EVERY = 5

/**
 * Thread dumps of a JVM. From JDK 21 on with virtual threads, by a file that the JVM writes into its temporary directory; it is read there
 * and removed.
 *
 * That file shows one thread after the other. It lacks the owners of locks of `java.util.concurrent`, before JDK 25 also states and
 * monitors. Where these are needed, the platform threads are taken from ThreadMXBean, which stops all of them for one moment. An owner and
 * what it does belong together. ThreadMXBean alone would not do: it sends much more for a thread, and lacks executors and virtual threads.
 */
internal class ThreadDumper(
    private val jvm: JvmConnection,
    private val pid: Long,
    private val draft: DiagnosisDraft,
    proc: Path = PROC,
) {
    /** The root of the file system that the JVM sees: it may be in a container. */
    private val root = proc.resolve("$pid/root")
    private val platform =
        ManagementFactory.newPlatformMXBeanProxy(jvm.beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean::class.java)
    private val writesFiles: Boolean by lazy { jvm.beans.getMBeanInfo(DIAGNOSTIC).operations.any { it.name == DUMP } }

    // Only one thread dumps.
    private var unwritten = false
    private var ownersFrom = 0.0

    /** [now]: seconds since the start of the trial. */
    fun dump(now: () -> Double): ThreadDump {
        val at = now()
        val threads = threads(now)
        val seconds = now() - at
        return ThreadDump(at, seconds, draft.stacks.grouped(threads))
    }

    private fun threads(now: () -> Double): List<SeenThread> {
        val all = fromFile() ?: return fromBean()
        val stated = all.any { it.state != null }
        val lockWaiters = all.any { !it.virtual && OWNABLE in it.waitsFor?.substringBefore('@').orEmpty() }
        val began = now()
        if (stated && (!lockWaiters || began < ownersFrom)) return all
        if (!stated) draft.missing("Dumps of this JDK have neither states nor locks of virtual threads; those of JDK 25 have.")
        val bean = fromBean()
        ownersFrom = began + OWNERS_EVERY * (now() - began)
        val executors = all.associate { it.id to it.executor }
        val ids = bean.map { it.id }.toSet()
        val rest = all.filter { it.id !in ids }.map { if (stated) it else it.copy(virtual = true) }
        return bean.map { it.copy(executor = executors[it.id]) } + rest.filter { it.virtual }
    }

    /** Null if this JVM does not write such files, or the file cannot be read from here. */
    private fun fromFile(): List<SeenThread>? {
        if (unwritten) return null
        if (!writesFiles) return whyNoFile("its JDK is older than 21")
        val directory = jvm.properties.getProperty("java.io.tmpdir") ?: return whyNoFile("it has no temporary directory")
        val file = Path.of(directory, "boot-dyno-threads-$pid-${System.nanoTime()}.json")
        val here = if (root.exists()) root.resolve("$file".removePrefix("/")) else file
        return try {
            jvm.beans.invoke(DIAGNOSTIC, DUMP, arrayOf("$file", "JSON"), arrayOf(STRING, STRING))
            Files.newInputStream(here).buffered().use { dumpsOf(it).single().threads }
        } catch (refused: JMException) {
            whyNoFile(reason(refused))
        } catch (refused: JMRuntimeException) {
            whyNoFile(reason(refused))
        } catch (unreadable: FileSystemException) {
            whyNoFile("${unreadable.file} cannot be read")
        } finally {
            // If it cannot be deleted, it stays in the subject's temporary directory.
            ioOrNull { Files.deleteIfExists(here) }
        }
    }

    private fun reason(refused: Throwable): String = generateSequence(refused) { it.cause }.last().let { it.message ?: "$it" }

    private fun whyNoFile(why: String): List<SeenThread>? {
        unwritten = true
        draft.missing("Virtual threads are not in the thread dumps: $why.")
        return null
    }

    private fun fromBean(): List<SeenThread> {
        val infos = platform.dumpAllThreads(true, false).filterNotNull()
        val owners = infos.filter { it.lockOwnerId >= 0 }.associate { "${it.lockInfo}" to it.lockOwnerId }
        return infos.map(::seen).withOwners(owners)
    }

    private fun seen(info: ThreadInfo): SeenThread {
        val waitsFor = info.lockInfo?.toString()
        return SeenThread(
            id = info.threadId,
            name = info.threadName,
            state = info.threadState.name,
            calls = info.stackTrace.map { "$it" },
            waitsFor = waitsFor,
            owns = info.lockedMonitors.map { "$it" }.distinct() - listOfNotNull(waitsFor).toSet(),
        )
    }
}
