package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.util.SetSystemProperty
import java.net.URLClassLoader
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** How a simulation is found and compiled; what it extends is a class of its own here, so that Gatling need not be there. */
class UserSimulationTest {
    @TempDir
    lateinit var folder: Path
    private val java: Path get() = folder.resolve("src/test/java")
    private val out: Path get() = folder.resolve("out").createDirectories()

    private fun source(path: String, text: String): Path = java.resolve(path).also {
        it.parent.createDirectories()
        it.writeText(text)
    }

    private fun compiled(source: Path, className: String? = null) = userSimulation(Script(source, className), emptyList(), out)

    private fun complaint(source: Path, className: String? = null) =
        shouldThrow<EngineFailed> { compiled(source, className) }.message.orEmpty()

    @Test
    fun `the class is found in the file, and what it mentions beside it`() {
        source("shop/Simulation.java", "package shop; public class Simulation {}")
        source("shop/Names.java", "package shop; class Names { static final String HOME = \"home\"; }")
        folder.resolve("src/test/resources").createDirectories()
        val script = source(
            "shop/Buying.java",
            "package shop;\n// class Selling extends Simulation\npublic class Buying extends Simulation { String at = Names.HOME; }",
        )
        val simulation = compiled(script)
        simulation.className shouldBe "shop.Buying"
        simulation.classPath shouldBe listOf(out, java, folder.resolve("src/test/resources"))
        simulation.folder shouldBe script.parent
        Files.exists(out.resolve("shop/Names.class")) shouldBe true
    }

    @Test
    fun `a broken source is answered with the compiler's words and the line`() {
        source("Simulation.java", "public class Simulation {}")
        complaint(source("Broken.java", "public class Broken extends Simulation {\n  int a = nothing;\n}")).let {
            it shouldContain "Broken.java:2"
            it shouldContain "cannot find symbol"
        }
    }

    @Test
    fun `no simulation, or several, is said`() {
        source("Simulation.java", "public class Simulation {}")
        complaint(source("Plain.java", "public class Plain {}")) shouldContain "no class that extends Simulation"
        val two = source("Two.java", "class A extends Simulation {}\nclass B extends Simulation {}")
        complaint(two) shouldContain "several simulations (A, B)"
        compiled(two, "B").className shouldBe "B"
    }

    @Test
    fun `a class that is not in the jar is said`() {
        val jar = folder.resolve("a.jar")
        JarOutputStream(Files.newOutputStream(jar)).use { it.putNextEntry(JarEntry("shop/Buying.class")) }
        userSimulation(Script(jar, "shop.Buying"), emptyList(), out).classPath shouldBe listOf(jar)
        shouldThrow<EngineFailed> { userSimulation(Script(jar, "shop.Selling"), emptyList(), out) }.message shouldContain
            "no class shop.Selling"
    }

    @Test
    @SetSystemProperty(key = "dyno.base", value = "http://10.0.0.7:4711")
    fun `an address of this machine is that of the subject, in every source file`() {
        source("shop/Simulation.java", "package shop; public class Simulation {}")
        source("shop/Names.java", "package shop; class Names { static final String HOME = \"http://127.0.0.1:9000/home\"; }")
        val block = "\"\"\"\n{ \"callback\": \"http://localhost/a\" }\"\"\""
        val script = source(
            "shop/Buying.java",
            """
            package shop;
            public class Buying extends Simulation {
              public static String all() {
                return String.join(" ", "http://localhost:8080".concat("/x"), Names.HOME, "https://localhost?a=\"b\"",
                  "\"http://localhost/y", "http://localhost.example/z", $block);
              }
            }
            """,
        )
        compiled(script).local shouldBe setOf("localhost:8080", "localhost", "localhost:9000")
        val all = URLClassLoader(arrayOf(out.toUri().toURL())).use { loader ->
            loader.loadClass("shop.Buying").getMethod("all").invoke(null)
        }
        all shouldBe "http://10.0.0.7:4711/x http://10.0.0.7:4711/home http://10.0.0.7:4711?a=\"b\" " +
            "\"http://localhost/y http://localhost.example/z { \"callback\": \"http://localhost/a\" }"
    }

    @Test
    fun `the path of the default of an address is kept`() {
        source("Simulation.java", "public class Simulation {}")
        fun pathOf(value: String) = compiled(source("A.java", "class A extends Simulation { String base = $value; }")).basePath
        pathOf("System.getProperty(\"baseUrl\", \"http://localhost:8080/api/v1/\")") shouldBe "/api/v1/"
        pathOf("System.getProperty(\"baseUrl\", \"http://localhost:8080\")") shouldBe ""
        source("Target.java", "class Target { static String base = System.getProperty(\"baseUrl\", \"http://localhost/v2\"); }")
        pathOf("Target.base") shouldBe "/v2"
    }
}
