package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.javaRuntime
import bootdyno.model.PreparationStep
import bootdyno.model.RuntimeForm
import bootdyno.model.Variant
import bootdyno.system.ledger.Ledger
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URLClassLoader
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarEntry
import java.util.jar.JarFile
import java.util.jar.JarOutputStream
import javax.tools.ToolProvider
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** With a processor of the name and the arguments of Spring Boot's, which decides by one setting what it writes. */
class SpringAotProcessingTest(@param:TempDir private val folder: Path) {
    private val log = folder.resolve("preparation.log")
    private val ledger = Ledger(folder.resolve("ledgers"))
    private val into = folder.resolve("own").createDirectories()
    private val virtual = Variant(
        "v",
        "app",
        settings = mapOf("threads" to "virtual", "server.port" to "1"),
        environment = mapOf("PLACE" to "here"),
        runtime = RuntimeForm.NATIVE,
    )

    /** A jar that was processed by its build, for platform threads, beside a processor that copies what it is told into a class. */
    private fun laidOut(): Extraction {
        val source = folder.resolve("SpringApplicationAotProcessor.java")
        source.writeText(
            """
            package org.springframework.boot;
            import java.nio.file.*;
            public class SpringApplicationAotProcessor {
                public static void main(String[] told) throws Exception {
                    if (System.getProperty("threads") == null) throw new IllegalStateException("no threads to decide on");
                    String text = told[0] + " " + System.getProperty("threads") + " " + System.getenv("PLACE");
                    Path sources = Files.createDirectories(Path.of(told[1], "a"));
                    Files.writeString(sources.resolve("App__Beans.java"),
                        "package a; public class App__Beans { public String toString() { return \"" + text + "\"; } }");
                    Path hints = Files.createDirectories(Path.of(told[2], "META-INF/native-image", told[4], told[5]));
                    Files.writeString(hints.resolve("hints.json"), "{}");
                    Files.writeString(Path.of(told[3], "Proxy.class"), "made");
                }
            }
            """.trimIndent(),
        )
        val classes = folder.resolve("processor").createDirectories()
        val errors = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", "$classes", "$source")
        check(errors == 0) { "the processor does not compile" }
        val all = folder.resolve("extracted")
        jar(all.resolve("lib/spring-boot.jar"), classes)
        val beans = folder.resolve("beans").createDirectories()
        beans.resolve("a").createDirectories().resolve("App__Beans.class").writeText("decided by the build")
        jar(all.resolve("app.jar"), beans)
        return Extraction(all.resolve("app.jar"), all, listOf(PreparationStep("extract", 1.0, emptyList())))
    }

    private fun jar(file: Path, content: Path) {
        Files.createDirectories(file.parent)
        JarOutputStream(Files.newOutputStream(file)).use { out ->
            Files.walk(content).use { all ->
                all.filter { Files.isRegularFile(it) }.forEach {
                    out.putNextEntry(JarEntry("${content.relativize(it)}"))
                    Files.copy(it, out)
                }
            }
        }
    }

    private fun process(variant: Variant) =
        SpringAotProcessing(javaRuntime(null), ledger, log).of(laidOut(), "a.App", variant, into)

    @Test
    fun `beans are decided on by the settings and the environment, in a copy, in place of what the build decided`() {
        val processed = process(virtual)
        processed.steps.map { it.name } shouldContainExactly listOf("extract", "process-aot", "javac")
        processed.steps[1].commandLine.filter { it.startsWith("-D") } shouldContainExactly listOf("-Dthreads=virtual")
        URLClassLoader(arrayOf(processed.jar.toUri().toURL()), null).use { loader ->
            loader.loadClass("a.App__Beans").getDeclaredConstructor().newInstance().toString() shouldBe "a.App virtual here"
        }
        val names = JarFile(processed.jar.toFile()).use { jar -> jar.stream().map { it.name }.toList() }
        names shouldContain "META-INF/native-image/bootdyno/app.jar/hints.json"
        names shouldContain "Proxy.class"
        Files.exists(processed.folder.resolve("lib/spring-boot.jar")) shouldBe true
        JarFile(folder.resolve("extracted/app.jar").toFile()).use { it.stream().count() } shouldBe 1
    }

    @Test
    fun `what fails is told in its own words`() {
        val failed = shouldThrow<LaunchFailed> { process(virtual.copy(settings = mapOf("other" to "x"))) }
        failed.reason shouldBe "Spring's ahead-of-time processing of app.jar ended with exit code 1."
        failed.lastLines.joinToString() shouldContain "no threads to decide on"
    }

    @Test
    fun `files that cannot be written are a reason as well`() {
        into.resolve("laid-out").createDirectories().resolve("app.jar").writeText("in the way")
        shouldThrow<LaunchFailed> { process(virtual) }.reason shouldContain "for app.jar cannot be kept in $into: "
    }

    @Test
    fun `it is for the forms that Spring decides for ahead, and settings other than the port`() {
        virtual.decidesAnew shouldBe true
        virtual.copy(runtime = RuntimeForm.AOT_CACHE).decidesAnew shouldBe false
        virtual.copy(settings = mapOf("server.port" to "1")).decidesAnew shouldBe false
    }
}
