package bootdyno.dumps

import bootdyno.diagnose.dumpsOf
import bootdyno.model.Bytes
import bootdyno.model.DumpedApplication
import bootdyno.model.visible
import java.io.BufferedInputStream
import java.io.EOFException
import java.io.FilterInputStream
import java.io.IOException
import java.io.InputStream
import java.nio.charset.Charset
import java.nio.file.AccessDeniedException
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime
import java.util.zip.GZIPInputStream
import java.util.zip.ZipException
import java.util.zip.ZipInputStream
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.outputStream

/** What files show: an [application], null if none of them can be used, and a sentence for each file that cannot. */
internal class ReadFiles(val application: DumpedApplication?, val problems: List<String>)

/** Reads thread dumps and recordings, also in `.gz` and `.zip`. Devices and pipes are not opened, because they may have no end. */
internal fun readDumps(files: List<Path>, most: Bytes = Bytes(Bytes.GIB)): ReadFiles {
    val reading = DumpReading(most)
    files.distinctBy { it.toAbsolutePath().normalize() }.forEach(reading::file)
    return reading.found()
}

/** [message]: what the file is instead of a dump, and what to do; sentences. */
private class NoDump(message: String) : IOException(message)

private const val AGAIN = "Take it again."
private const val TAKE = "Take one: jcmd PID Thread.print -l > FILE."

private class DumpReading(private val most: Bytes) {
    private val dumps = mutableListOf<ReadDump>()
    private val recordings = mutableListOf<RecordedApplication>()
    private val problems = mutableListOf<String>()

    fun found(): ReadFiles {
        val processes = dumps.groupBy { it.process }.filterKeys { it != null }
        // Dumps of two processes explained together would say nothing true.
        val chosen = processes.maxByOrNull { it.value.size }?.key
        val others = processes.keys - chosen
        if (others.isNotEmpty()) {
            problems += "The dumps are of ${processes.size} processes. Only those of process $chosen are explained. " +
                "Give the dumps of one process at a time: those of ${others.joinToString()} are left out."
        }
        val ofProcess = dumps.filter { it.process == null || it.process == chosen }
        return ReadFiles(application(ofProcess, recordings.firstOrNull()), problems)
    }

    fun file(path: Path) {
        val name = visible("$path")
        try {
            when {
                !path.exists() -> throw NoDump("there is no such file. Check the path.")
                path.isDirectory() -> throw NoDump("it is a folder. Name the files in it.")
                !path.isRegularFile() -> throw NoDump("it is no regular file. Save its content in a file.")
            }
            val budget = Budget(most.count)
            Files.newInputStream(path).use { content(name, it, budget, path, depth = 0) }
        } catch (failure: IOException) {
            problems += "$name: ${reason(failure)}"
        }
    }

    private fun reason(failure: IOException): String = when (failure) {
        is NoDump -> failure.message.orEmpty()
        is AccessDeniedException -> "it cannot be read: permission denied. Change its permissions, or run as its owner."
        is ZipException, is EOFException -> "the archive is cut off or damaged. Pack it again."
        else -> "it cannot be read. Copy it to this machine again."
    }

    /** [file]: the file itself if [raw] is its content; null for what was packed. */
    private fun content(name: String, raw: InputStream, budget: Budget, file: Path?, depth: Int) {
        val stream = BufferedInputStream(Counted(raw, budget), BUFFER)
        stream.mark(HEAD)
        val head = stream.readNBytes(HEAD - 1)
        stream.reset()
        when {
            head.isEmpty() -> throw NoDump("it is empty: no dump was written. $AGAIN")

            head.begins(0x1f, 0x8b) -> packed(depth) { content(name, GZIPInputStream(stream, BUFFER), budget, null, depth + 1) }

            head.begins('P'.code, 'K'.code, 3, 4) -> packed(depth) { zip(name, ZipInputStream(stream), budget, depth) }

            head.begins(*"FLR".map { it.code }.toIntArray(), 0) -> recording(stream, file)

            head.begins(*"JAVA PROFILE".map { it.code }.toIntArray()) ->
                throw NoDump("it is a heap dump, which has no thread dump that can be read here. $TAKE")

            else -> text(name, stream, head)
        }
    }

    private fun packed(depth: Int, read: () -> Unit) {
        if (depth >= DEEPEST) throw NoDump("it is packed more than $DEEPEST times. Unpack it.")
        read()
    }

    /** A problem of one file in the archive does not concern the others. */
    private fun zip(name: String, zip: ZipInputStream, budget: Budget, depth: Int) {
        var entries = 0
        while (true) {
            val entry = zip.nextEntry ?: break
            if (entry.isDirectory) continue
            if (++entries > MOST_ENTRIES) throw NoDump("it has more than $MOST_ENTRIES files. Pack only the dumps.")
            val inside = "$name, ${visible(entry.name).take(LONGEST_NAME)}"
            val unclosed = object : FilterInputStream(zip) {
                override fun close() = Unit
            }
            try {
                content(inside, unclosed, budget, null, depth + 1)
            } catch (failure: NoDump) {
                if (budget.isSpent) throw failure
                problems += "$inside: ${failure.message}"
            }
        }
        if (entries == 0) throw NoDump("the archive has no file. Pack the dumps again.")
    }

    private fun recording(stream: InputStream, file: Path?) {
        if (file != null) {
            recordings += readRecording(file) ?: throw NoDump(DAMAGED_RECORDING)
            return
        }
        val copy = createTempFile("flight", ".jfr")
        try {
            copy.outputStream().use { stream.transferTo(it) }
            recordings += readRecording(copy) ?: throw NoDump(DAMAGED_RECORDING)
        } finally {
            copy.deleteIfExists()
        }
    }

    private fun text(name: String, stream: InputStream, head: ByteArray) {
        val charset = when {
            head.begins(0xff, 0xfe) -> Charsets.UTF_16LE
            head.begins(0xfe, 0xff) -> Charsets.UTF_16BE
            0 in head -> throw NoDump("it is binary: neither text nor a recording. $TAKE")
            else -> Charsets.UTF_8
        }
        val text = String(head, charset).trimStart('\uFEFF')
        if (JSON.matchesAt(text, 0) && !LOGGED.matchesAt(text, 0)) json(stream) else lines(name, stream, charset)
    }

    private fun json(stream: InputStream) {
        val before = dumps.size
        try {
            dumpsOf(stream).forEach { json ->
                val form = if (json.isOfActuator) DumpForm.ACTUATOR else DumpForm.DUMP_TO_FILE
                val threads = json.threads.map {
                    it.copy(virtual = it.virtual || it.calls.lastOrNull()?.contains(VIRTUAL) == true)
                }
                dumps += ReadDump(threads, form, json.time?.let(::timeOf), json.process, json.jvm)
            }
        } catch (_: IllegalArgumentException) {
            val kept = dumps.size - before
            throw NoDump(
                if (kept == 0) {
                    "it is no whole JSON of a thread dump: it may be cut off, or of another kind. $AGAIN"
                } else {
                    "its JSON breaks off behind $kept dumps, which are used. $AGAIN"
                },
            )
        }
    }

    private fun lines(name: String, stream: InputStream, charset: Charset) {
        val reader = ThreadPrint()
        if (charset == Charsets.UTF_8) {
            Lines(stream).forEach(reader::line)
        } else {
            wide(stream, charset).lineSequence().forEach(reader::line)
        }
        val ofFile = reader.dumps()
        if (ofFile.isEmpty()) throw NoDump("it has no thread dump, which begins with “${ThreadPrint.BEGIN}”. $TAKE")
        dumps += ofFile
        if (!ofFile.last().isComplete) {
            problems += "$name: its last dump breaks off, so threads are missing. It counts only without whole ones. $AGAIN"
        }
    }

    /** In UTF-16, as PowerShell writes what a command prints. */
    private fun wide(stream: InputStream, charset: Charset): String {
        val bytes = stream.readNBytes(MOST_WIDE + 1)
        if (bytes.size > MOST_WIDE) throw NoDump("it is larger than ${MOST_WIDE / Bytes.MIB} MiB in UTF-16. Save it in UTF-8.")
        return String(bytes, charset)
    }
}

private const val HEAD = 8192
private val JSON = Regex("""\s*([{]|\[\s*[\[{])""")

/** A line of a log in JSON. */
private val LOGGED = Regex("""\s*[{](?!\s*"thread(s|Dump)")[^\n]*[}]\s*\n""")
private const val MOST_WIDE = 64 * Bytes.MIB.toInt()
private const val BUFFER = 1 shl 16
private const val DEEPEST = 3
private const val MOST_ENTRIES = 1000
private const val LONGEST_NAME = 100
private const val DAMAGED_RECORDING = "the recording is cut off or damaged. Take it again: jcmd PID JFR.dump filename=FILE."

/** The time that [text] says in ISO 8601, or with a space for its T; null if it says none. */
internal fun timeOf(text: String): LocalDateTime? =
    runCatching { LocalDateTime.parse(text.removeSuffix("Z").replace(' ', 'T')) }.getOrNull()

private fun ByteArray.begins(vararg bytes: Int): Boolean =
    size >= bytes.size && bytes.indices.all { this[it] == bytes[it].toByte() }

/** Bytes that may still be read of one file, packed or unpacked: an archive of some KiB can unpack to any size. */
private class Budget(var left: Long) {
    private val all = left
    val isSpent: Boolean get() = left < 0

    fun take(bytes: Int) {
        left -= bytes
        if (isSpent) throw NoDump("it is larger than ${all / Bytes.MIB} MiB, unpacked. Give only the dumps in it.")
    }
}

private class Counted(stream: InputStream, private val budget: Budget) : FilterInputStream(stream) {
    override fun read(): Int = super.read().also { if (it >= 0) budget.take(1) }

    override fun read(bytes: ByteArray, offset: Int, length: Int): Int =
        super.read(bytes, offset, length).also { if (it > 0) budget.take(it) }
}

/** The lines of [stream], of which none may be longer than [LONGEST] bytes: decoded one by one, because dumps have millions. */
private class Lines(private val stream: InputStream) {
    fun forEach(use: (String) -> Unit) {
        var block = ByteArray(FIRST)
        var kept = 0
        while (true) {
            val count = stream.read(block, kept, block.size - kept)
            if (count < 0) break
            val end = kept + count
            var from = 0
            for (index in kept until end) {
                if (block[index] != NEWLINE) continue
                use(String(block, from, index - from, Charsets.UTF_8))
                from = index + 1
            }
            kept = end - from
            block.copyInto(block, 0, from, end)
            if (kept >= LONGEST) throw NoDump("a line is longer than 1 MiB, so it is no thread dump. $TAKE")
            if (kept == block.size) block = block.copyOf(2 * kept)
        }
        if (kept > 0) use(String(block, 0, kept, Charsets.UTF_8))
    }
}

private const val FIRST = 1 shl 16
private const val LONGEST = Bytes.MIB
private const val NEWLINE = '\n'.code.toByte()
