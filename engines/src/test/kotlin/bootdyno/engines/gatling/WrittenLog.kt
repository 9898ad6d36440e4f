package bootdyno.engines.gatling

import java.io.ByteArrayOutputStream
import java.io.DataOutputStream
import java.nio.file.Files
import java.nio.file.Path

/** A `simulation.log` as Gatling writes it: to say what is in one, byte by byte. Times are ms after the run's start. */
internal class WrittenLog(version: String = GATLING_VERSION, scenarios: List<String> = listOf("load")) {
    private val bytes = ByteArrayOutputStream()
    private val out = DataOutputStream(bytes)
    private val numbers = HashMap<String, Int>()

    init {
        out.writeByte(0)
        text(version)
        text("a.Simulation")
        out.writeLong(START)
        text("")
        out.writeInt(scenarios.size)
        scenarios.forEach(::text)
        out.writeInt(1)
        out.writeInt(3)
        out.write(byteArrayOf(7, 7, 7))
    }

    fun user(starts: Boolean, at: Int, scenario: Int = 0) = apply {
        out.writeByte(2)
        out.writeInt(scenario)
        out.writeBoolean(starts)
        out.writeInt(at)
    }

    fun request(start: Int, end: Int, message: String? = null, name: String = "request", groups: List<String> = emptyList()) =
        apply {
            out.writeByte(1)
            out.writeInt(groups.size)
            groups.forEach(::cached)
            cached(name)
            out.writeInt(start)
            out.writeInt(end)
            out.writeBoolean(message == null)
            cached(message.orEmpty())
        }

    fun group(name: String) = apply {
        out.writeByte(3)
        out.writeInt(1)
        cached(name)
        out.writeInt(0)
        out.writeInt(10)
        out.writeInt(9)
        out.writeBoolean(true)
    }

    fun crash(message: String, at: Int) = apply {
        out.writeByte(4)
        cached(message)
        out.writeInt(at)
    }

    fun byte(value: Int) = apply { out.writeByte(value) }

    fun bytes(): ByteArray = bytes.toByteArray()

    fun to(folder: Path): Path = Files.write(folder.resolve("simulation.log"), bytes())

    private fun cached(text: String) {
        val number = numbers[text]
        if (number != null) {
            out.writeInt(-number)
        } else {
            numbers[text] = numbers.size + 1
            out.writeInt(numbers.size)
            text(text)
        }
    }

    /** A Java string keeps one byte a character while all are of Latin-1, else two, in the order of the machine (little-endian here). */
    private fun text(text: String) {
        val latin = text.all { it.code < 256 }
        val value = text.toByteArray(if (latin) Charsets.ISO_8859_1 else Charsets.UTF_16LE)
        out.writeInt(value.size)
        if (value.isEmpty()) return
        out.write(value)
        out.writeByte(if (latin) 0 else 1)
    }

    companion object {
        const val START = 1_700_000_000_000L
    }
}
