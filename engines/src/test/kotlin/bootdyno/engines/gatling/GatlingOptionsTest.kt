package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.model.EngineSpec
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class GatlingOptionsTest {
    @TempDir
    lateinit var folder: Path

    private fun spec(script: Path? = null, vararg options: Pair<String, String>) =
        EngineSpec("gatling", script?.toString(), options.toMap())

    private fun complaint(script: Path? = null, vararg options: Pair<String, String>) =
        shouldThrow<EngineFailed> { gatlingOptions(spec(script, *options)) }.message.orEmpty()

    private fun file(name: String): Path = Files.createFile(folder.resolve(name))

    @Test
    fun `without options the heap is 1 GiB, open users share connections and Gatling warms itself for 5 s`() {
        gatlingOptions(spec()) shouldBe GatlingOptions(heap = "1g", shared = true, warm = 5.seconds, script = null)
    }

    @Test
    fun `sizes and times are read as people write them`() {
        gatlingOptions(spec(null, "heap" to "512 MiB", "connections" to "per-user", "warm" to "0 s")) shouldBe
            GatlingOptions(heap = "512m", shared = false, warm = Duration.ZERO, script = null)
    }

    @Test
    fun `an unknown option is refused with those there are`() {
        complaint(null, "threads" to "12") shouldContain
            "there is no option `threads`. The options are: heap, simulation, connections, warm"
        complaint(null, "heep" to "1g", "warm" to "x") shouldContain "`warm` is `x`"
    }

    @Test
    fun `an option that belongs to the other way of running says so`() {
        complaint(file("A.java"), "warm" to "1 s") shouldContain "with a simulation of your own"
        complaint(null, "simulation" to "a.B") shouldContain "without a simulation of your own"
        complaint(null, "properties.users" to "5") shouldContain "`properties.users` cannot be used without a simulation"
        gatlingOptions(spec(folder.resolve("A.java"), "properties.users" to "5")).properties shouldBe mapOf("users" to "5")
    }

    @Test
    fun `a value that means nothing is refused`() {
        complaint(null, "heap" to "big") shouldContain "`big`"
        complaint(null, "warm" to "long") shouldContain "`long`"
        complaint(null, "connections" to "many") shouldContain "shared or per-user"
    }

    @Test
    fun `a jar needs the name of the simulation, a source may do without`() {
        complaint(file("a.jar")) shouldContain "simulation: my.package.MySimulation"
        val jar = folder.resolve("a.jar")
        gatlingOptions(spec(jar, "simulation" to "a.B")).script shouldBe Script(jar, "a.B")
        val source = file("A.java")
        gatlingOptions(spec(source)).script shouldBe Script(source, null)
    }

    @Test
    fun `Kotlin and Scala sources are sent to their own build, and a missing file is missing`() {
        complaint(file("A.kt")) shouldContain "build a jar"
        complaint(file("A.scala")) shouldContain "build a jar"
        complaint(file("plan.jmx")) shouldContain "no simulation for Gatling"
        complaint(folder.resolve("none.java")) shouldContain "there is no simulation"
    }
}
