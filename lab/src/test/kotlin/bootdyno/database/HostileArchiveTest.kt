package bootdyno.database

import bootdyno.system.deleteTree
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.commons.compress.archivers.tar.TarArchiveEntry
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream
import org.apache.commons.compress.archivers.tar.TarConstants
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.random.Random

/** Nothing of an archive comes to lie beside the folder it is unpacked into, where [sentinel] is. */
class HostileArchiveTest(@param:TempDir private val folder: Path) {
    private val sentinel = Files.writeString(folder.resolve("sentinel"), "precious")
    private val into = Files.createDirectory(folder.resolve("into"))

    private class Entry(val name: String, val kind: Byte = TarConstants.LF_NORMAL, val link: String = "", val text: String = "x")

    private fun tar(vararg entries: Entry): ByteArray {
        val bytes = ByteArrayOutputStream()
        TarArchiveOutputStream(bytes).use { out ->
            entries.forEach { entry ->
                val file = entry.kind == TarConstants.LF_NORMAL
                out.putArchiveEntry(
                    TarArchiveEntry(entry.name, entry.kind, true).apply {
                        linkName = entry.link
                        size = if (file) entry.text.length.toLong() else 0
                    },
                )
                if (file) out.write(entry.text.toByteArray())
                out.closeArchiveEntry()
            }
        }
        return bytes.toByteArray()
    }

    private fun unpack(bytes: ByteArray) = unpackTar(TarArchiveInputStream(bytes.inputStream()), into)

    private fun refusal(vararg entries: Entry): String {
        val refused = shouldThrow<IOException> { unpack(tar(*entries)) }
        assertNothingElsewhere()
        return refused.message.orEmpty()
    }

    private fun assertNothingElsewhere() {
        folder.listDirectoryEntries().sorted() shouldContainExactly listOf(into, sentinel).sorted()
        sentinel.readText() shouldBe "precious"
    }

    @Test
    fun `files, folders and links within the archive are unpacked`() {
        val link = TarConstants.LF_SYMLINK
        unpack(
            tar(
                Entry("lib/", TarConstants.LF_DIR),
                Entry("lib/a.so.1", text = "one"),
                Entry("lib/a.so", link, "a.so.1"),
                Entry("b", link, "lib/a.so"),
            ),
        )
        into.resolve("b").readText() shouldBe "one"
    }

    @Test
    fun `an entry outside of the folder is refused`() {
        refusal(Entry("../sentinel")) shouldContain "outside"
        refusal(Entry("a/../../sentinel")) shouldContain "outside"
        refusal(Entry("$sentinel")) shouldContain "outside"
    }

    @Test
    fun `a link that leads out, and an entry behind a link, are refused`() {
        val link = TarConstants.LF_SYMLINK
        refusal(Entry("out", link, ".."), Entry("out/sentinel")) shouldContain "links to"
        refusal(Entry("a", link, "$folder"), Entry("a/new")) shouldContain "links to"
        refusal(Entry("b/c", link, "../../sentinel"), Entry("b/c")) shouldContain "links to"
        refusal(Entry("d", TarConstants.LF_DIR), Entry("e", link, "d"), Entry("e/f")) shouldContain "inside of a link"
    }

    @Test
    fun `hard links, devices and pipes are refused`() {
        refusal(Entry("hard", TarConstants.LF_LINK, "$sentinel")) shouldContain "neither"
        refusal(Entry("device", TarConstants.LF_CHR)) shouldContain "neither"
        refusal(Entry("pipe", TarConstants.LF_FIFO)) shouldContain "neither"
    }

    @Test
    fun `a damaged archive is refused or unpacked, and fails in no other way`() {
        val whole = tar(Entry("a/b", text = "one"), Entry("c", TarConstants.LF_SYMLINK, "a/b"), Entry("d/", TarConstants.LF_DIR))
        (1..500).forEach { seed ->
            val random = Random(seed)
            val damaged = whole.copyOf().also { bytes -> repeat(4) { bytes[random.nextInt(2_048)] = random.nextInt().toByte() } }
            try {
                unpack(damaged)
            } catch (_: IOException) {
            }
            assertNothingElsewhere()
            into.toFile().listFiles().orEmpty().forEach { deleteTree(it.toPath()) }
        }
    }
}
