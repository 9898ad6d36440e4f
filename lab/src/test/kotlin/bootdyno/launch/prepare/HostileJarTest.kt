package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.random.Random

private const val MANIFEST = "Manifest-Version: 1.0\nMain-Class: a.Main\n"

class HostileJarTest(@param:TempDir private val folder: Path) {
    private val inside = Files.createDirectory(folder.resolve("inside"))

    private fun jar(vararg entries: Pair<String, ByteArray>): Path {
        val file = inside.resolve("app.jar")
        ZipOutputStream(Files.newOutputStream(file)).use { out ->
            entries.forEach { (name, bytes) ->
                out.putNextEntry(ZipEntry(name))
                out.write(bytes)
            }
        }
        return file
    }

    private fun manifest(text: String = MANIFEST) = "META-INF/MANIFEST.MF" to text.toByteArray()

    /** Every reader refuses it in its own way, and nothing is written anywhere. */
    private fun refusal(jar: Path): String {
        shouldThrow<LaunchFailed> { contentsOf(jar) }
        val refused = shouldThrow<UnusableJar> { inspectJar(jar) }
        inside.listDirectoryEntries() shouldContainExactly listOf(jar)
        folder.listDirectoryEntries() shouldContainExactly listOf(inside)
        return refused.message.orEmpty()
    }

    @Test
    fun `a jar with an entry that would be unpacked outside of its folder is refused`() {
        listOf("../sentinel", "BOOT-INF/../../sentinel", "/sentinel", "..\\sentinel", "C:\\sentinel", "a/../b").forEach { name ->
            refusal(jar(manifest(), name to ByteArray(1))) shouldContain "outside of its folder"
        }
        refusal(jar(manifest(), ("../" + "x".repeat(60_000)) to ByteArray(1))).length.let { (it < 400) shouldBe true }
    }

    @Test
    fun `a manifest that is large, or no manifest, is refused`() {
        refusal(jar(manifest(MANIFEST + "X: y\n".repeat(8_000_000)))) shouldContain "manifest is larger"
        val damaged = shouldThrow<UnusableJar> { inspectJar(jar(manifest("no manifest\u0000\n"))) }
        damaged.message.orEmpty() shouldContain "not a jar that can be used"
        shouldThrow<LaunchFailed> { contentsOf(inside.resolve("app.jar")) }
        shouldThrow<UnusableJar> { inspectJar(jar("a" to ByteArray(1))) }.message.orEmpty() shouldContain "Main-Class"
    }

    @Test
    fun `a jar whose index declares more than the limit is refused before it is unpacked`() {
        val jar = jar(manifest(), *Array(5) { "BOOT-INF/lib/$it.jar" to ByteArray(10) })
        // The directory at the end says how large each one is, 24 bytes after its mark.
        val bytes = jar.readBytes()
        (0..bytes.size - 46).filter {
            bytes[it].toInt() == 'P'.code && bytes[it + 1].toInt() == 'K'.code &&
                bytes[it + 2].toInt() == 1
        }
            .drop(1).forEach { at -> byteArrayOf(0, 0, 0, 0x7f).copyInto(bytes, at + 24) }
        jar.writeBytes(bytes)
        refusal(jar) shouldContain "4 GiB"
    }

    @Test
    fun `an index of layers that never ends is refused`() {
        val tools = "BOOT-INF/lib/spring-boot-jarmode-tools-4.1.0.jar" to ByteArray(1)
        val jar = jar(manifest(), tools, "BOOT-INF/layers.idx" to ByteArray(20 shl 20))
        shouldThrow<LaunchFailed> { contentsOf(jar) }.message.orEmpty() shouldContain "layers.idx"
    }

    @Test
    fun `a jar that is cut off, damaged, empty or no jar is refused or read, and fails in no other way`() {
        val jar = jar(
            manifest(),
            "BOOT-INF/lib/tomcat-embed-core-11.jar" to ByteArray(100),
            "BOOT-INF/layers.idx" to "- \"a\":\n".toByteArray(),
        )
        val whole = jar.readBytes()
        refusal(jar.apply { writeBytes(ByteArray(0)) })
        refusal(jar.apply { writeBytes(whole.copyOf(whole.size / 2)) })
        (1..1_000).forEach { seed ->
            val random = Random(seed)
            jar.writeBytes(
                whole.copyOf().also { bytes ->
                    repeat(3) {
                        bytes[random.nextInt(bytes.size)] = random.nextInt().toByte()
                    }
                },
            )
            listOf<(Path) -> Any>(::contentsOf, ::inspectJar).forEach { read ->
                try {
                    read(jar)
                } catch (_: LaunchFailed) {
                } catch (_: UnusableJar) {
                }
            }
        }
    }
}
