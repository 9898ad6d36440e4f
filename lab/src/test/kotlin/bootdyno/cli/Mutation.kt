package bootdyno.cli

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.deleteExisting
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import kotlin.random.Random

/** Damages one file of a folder in one way, as a fault of a disk or an editor might. The same [random] damages the same. */
internal class Mutation(private val random: Random) {
    fun damage(folder: Path): String {
        val file = Files.walk(folder).use { paths -> paths.filter { it.isRegularFile() }.sorted().toList() }.random(random)
        val way = ways.random(random)
        way.apply(file)
        return "${way.name} of $file"
    }

    private class Way(val name: String, val apply: (Path) -> Unit)

    private val ways = listOf(
        Way("byte") { file -> bytes(file) { if (it.isNotEmpty()) it[random.nextInt(it.size)] = random.nextInt().toByte() } },
        Way("cut") { file -> file.readBytes().let { file.writeBytes(it.copyOf(random.nextInt(it.size + 1))) } },
        Way("noise") { file -> file.writeBytes(random.nextBytes(random.nextInt(300))) },
        Way("lost line") { file -> lines(file) { it.removeAt(random.nextInt(it.size)) } },
        Way("line twice") { file -> lines(file) { it.add(random.nextInt(it.size), it.random(random)) } },
        Way("lines swapped") { file -> lines(file) { it.shuffle(random) } },
        Way("number") { file -> replace(file, NUMBER, numbers) },
        Way("number again") { file -> replace(file, NUMBER, numbers) },
        Way("text") { file -> replace(file, TEXT, texts) },
        Way("value") { file -> replace(file, VALUE, values) },
        Way("lost file") { it.deleteExisting() },
        Way("folder") {
            it.deleteExisting()
            it.createDirectory()
        },
        Way("link to itself") {
            it.deleteExisting()
            it.createSymbolicLinkPointingTo(it.fileName)
        },
        Way("renamed") { file -> rename(file.parent) },
    )

    /** A trial's folder, not the run's. */
    private fun rename(folder: Path) {
        val other = folder.resolveSibling("000${random.nextInt(10)}-${folder.name.drop(5)}")
        if (folder.parent.name == "trials" && !Files.exists(other)) Files.move(folder, other)
    }

    private fun bytes(file: Path, change: (ByteArray) -> Unit) = file.writeBytes(file.readBytes().also(change))

    private fun lines(file: Path, change: (MutableList<String>) -> Unit) =
        file.writeText(file.readText().lines().toMutableList().also(change).joinToString("\n"))

    private fun replace(file: Path, pattern: Regex, by: List<String>) {
        val text = file.readText()
        val found = pattern.findAll(text).toList().ifEmpty { return }.random(random)
        file.writeText(text.replaceRange(found.range, by.random(random)))
    }

    private companion object {
        val NUMBER = Regex("""-?\d+(\.\d+)?""")
        val TEXT = Regex("\"[^\"\n]*\"")
        val VALUE = Regex("""(?<=": )("[^"\n]*"|[\d.]+|true|false|null|\[]|\{})""")
        val numbers =
            listOf("-1", "0", "1e999", "NaN", "9223372036854775807", "99999999999999999999", "-0.5", "1e15", "0.000001", "")
        val texts = listOf("\"\"", "\"../../x\"", "\"\\u0000\"", "\"PT-5S\"", "\"tomcat/blocking@closed400\"", "7", "null", "[]")
        val values = listOf("null", "[]", "{}", "\"x\"", "-3", "1e300", "true", "[".repeat(200), "{\"type\": \"x\"}")
    }
}
