package bootdyno.dumps

import bootdyno.model.Bytes
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.ByteArrayOutputStream
import java.nio.file.Path
import java.util.zip.GZIPOutputStream
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectory
import kotlin.io.path.writeBytes

class DumpFilesTest(@param:TempDir private val folder: Path) {
    private fun dump(second: Int, process: Int = 7): String = """
        $process:
        2026-11-26 13:05:${10 + second}
        Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

        "main" #1 prio=5 os_prio=0 cpu=${100 + 500 * second}ms elapsed=${40 + second}.00s tid=0x01 nid=0x18 runnable  [0x02]
           java.lang.Thread.State: RUNNABLE
        	at shop.Main.main(Main.kt:3)

        JNI global refs: 14, weak refs: 0
    """.trimIndent()

    private fun file(name: String, content: ByteArray): Path = folder.resolve(name).also { it.writeBytes(content) }

    private fun file(name: String, content: String): Path = file(name, content.encodeToByteArray())

    private fun gzip(content: ByteArray) =
        ByteArrayOutputStream().also { out -> GZIPOutputStream(out).use { it.write(content) } }.toByteArray()

    private fun zip(vararg entries: Pair<String, ByteArray>) = ByteArrayOutputStream().also { out ->
        ZipOutputStream(out).use { zip ->
            entries.forEach { (name, content) ->
                zip.putNextEntry(ZipEntry(name))
                zip.write(content)
            }
        }
    }.toByteArray()

    private fun seconds(vararg files: Path, most: Bytes = Bytes(Bytes.GIB)): List<Double> =
        readDumps(files.toList(), most).also { it.problems.shouldBeEmpty() }.application?.diagnosis?.dumps.orEmpty().map { it.at }

    /** The problem of the only file, which cannot be explained. */
    private fun problem(file: Path, most: Bytes = Bytes(Bytes.GIB)): String = readDumps(listOf(file), most).let {
        it.application shouldBe null
        it.problems.single().removePrefix("$file: ")
    }

    @Test
    fun `dumps of several files are one diagnosis, in the order of their times`() {
        val zipped = file("b.zip", zip("x/d3.txt" to dump(3).encodeToByteArray(), "d4.gz" to gzip(dump(4).encodeToByteArray())))
        val two = file("a.txt", dump(1) + "\n" + dump(0))
        seconds(zipped, two, file("d2.txt.gz", gzip(dump(2).encodeToByteArray()))) shouldContainExactly
            listOf(0.0, 1.0, 2.0, 3.0, 4.0)
    }

    @Test
    fun `the CPU used is that between the first and the last dump`() {
        val application = readDumps(listOf(file("a.txt", dump(0) + "\n" + dump(4)))).application
        application?.cpu?.used shouldBe 0.5
        application?.process shouldBe 7
        application?.jvm shouldBe "25.0.3+9-LTS"
    }

    @Test
    fun `a copy of a dump is no further one`() {
        seconds(file("a.txt", dump(1)), file("b.txt", dump(1)), file("c.txt", dump(2))) shouldContainExactly listOf(0.0, 1.0)
    }

    @Test
    fun `text in UTF-16, as PowerShell writes it, is read`() {
        val text = byteArrayOf(0xff.toByte(), 0xfe.toByte()) + dump(0).toByteArray(Charsets.UTF_16LE)
        seconds(file("a.txt", text)).size shouldBe 1
    }

    @Test
    fun `a dump within a log is read, whose lines begin with brackets`() {
        seconds(file("a.log", "[main] INFO started\n" + dump(0))).size shouldBe 1
        seconds(file("b.log", "{\"level\":\"INFO\"}\n" + dump(0))).size shouldBe 1
    }

    @Test
    fun `dumps of another process are left out and named`() {
        val read = readDumps(listOf(file("a.txt", dump(0) + "\n" + dump(1)), file("b.txt", dump(0, process = 8))))
        read.application?.diagnosis?.dumps?.size shouldBe 2
        read.problems.single() shouldContain "Only those of process 7 are explained"
    }

    @Test
    fun `each file that cannot be used has a sentence, and the others are read`() {
        val cut =
            file(
                "cut.json",
                """{ "threadDump": { "processId": "7", "threadContainers": [ { "container": "<root>", "threads": [""",
            )
        val read = readDumps(listOf(file("a.txt", dump(0)), file("empty.txt", ""), cut))
        read.application shouldNotBe null
        read.problems shouldContainExactly listOf(
            "$folder/empty.txt: it is empty: no dump was written. Take it again.",
            "$cut: it is no whole JSON of a thread dump: it may be cut off, or of another kind. Take it again.",
        )
    }

    @Test
    fun `what is no dump says what it is`() {
        problem(folder.resolve("none.txt")) shouldBe "there is no such file. Check the path."
        problem(folder.resolve("folder").createDirectory()) shouldBe "it is a folder. Name the files in it."
        problem(file("heap.hprof", "JAVA PROFILE 1.0.2\u0000")) shouldContain "it is a heap dump"
        problem(file("x.bin", byteArrayOf(1, 2, 0, 3))) shouldContain "it is binary"
        problem(file("app.log", "INFO started\n")) shouldContain "it has no thread dump, which begins with “Full thread dump”"
        problem(file("x.json", """{"status":"UP"}""")) shouldContain "of another kind"
        problem(file("deep.json", "[".repeat(100_000))) shouldContain "of another kind"
        problem(file("x.jfr", "FLR\u0000damaged")) shouldContain "the recording is cut off or damaged"
        problem(file("cut.gz", gzip(dump(0).encodeToByteArray()).copyOf(60))) shouldContain "the archive is cut off or damaged"
        problem(file("none.zip", zip())) shouldNotBe ""
        problem(file("long.txt", "a".repeat(3_000_000))) shouldContain "a line is longer than 1 MiB"
    }

    @Test
    fun `an archive that unpacks to more than the limit is refused`() {
        val bomb = gzip("no dump\n".repeat(1_000_000).encodeToByteArray())
        val most = Bytes(2 * Bytes.MIB)
        problem(file("a.gz", bomb), most) shouldBe "it is larger than 2 MiB, unpacked. Give only the dumps in it."
        problem(file("a.zip", zip("a.txt" to bomb)), most) shouldContain "it is larger than 2 MiB, unpacked"
        problem(file("b.gz", gzip(gzip(gzip(gzip(bomb))))), most) shouldContain "it is packed more than 3 times"
    }

    @Test
    fun `a dump that breaks off counts only without whole ones`() {
        val broken = dump(3).substringBefore("JNI")
        val beside = readDumps(listOf(file("a.txt", dump(0) + "\n" + dump(1)), file("b.txt", broken)))
        beside.application?.diagnosis?.dumps?.size shouldBe 2
        val alone = readDumps(listOf(file("b.txt", broken)))
        alone.application?.diagnosis?.dumps?.size shouldBe 1
        alone.problems.single() shouldContain "its last dump breaks off"
    }

    @Test
    fun `an object that the collector moved keeps its name`() {
        fun waiting(address: String, other: String) = dump(address.length).replace(
            "JNI",
            (2..3).joinToString("\n") {
                "\"exec-$it\" #$it prio=5 tid=0x1 nid=0x2\n   java.lang.Thread.State: BLOCKED (on object monitor)\n" +
                    "\tat shop.Ledger.book(Ledger.kt:24)\n\t- waiting to lock <0x$address> (a shop.Ledger)\n"
            } + "\"exec-4\" #4 prio=5 tid=0x1 nid=0x2\n   java.lang.Thread.State: BLOCKED (on object monitor)\n" +
                "\tat shop.Stock.take(Stock.kt:2)\n\t- waiting to lock <0x$other> (a shop.Ledger)\n\nJNI",
        )
        val file = file("a.txt", waiting("e1", "e2") + "\n" + waiting("e21", "e33"))
        val dumps = readDumps(listOf(file)).application?.diagnosis?.dumps.orEmpty()
        dumps.size shouldBe 2
        val waits = dumps.map { dump -> dump.threads.mapNotNull { thread -> thread.waitsFor?.let { it to thread.count } } }
        waits[0] shouldContainExactly listOf("shop.Ledger@e1" to 2, "shop.Ledger@e2" to 1)
        waits[1] shouldContainExactly waits[0]
    }
}
