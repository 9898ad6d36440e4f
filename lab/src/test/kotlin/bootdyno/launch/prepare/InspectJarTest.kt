package bootdyno.launch.prepare

import bootdyno.model.Origin
import bootdyno.model.Stack
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.Attributes
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

class InspectJarTest(@param:TempDir private val folder: Path) {
    private fun jar(
        name: String,
        libraries: List<String>,
        main: String? = "org.springframework.boot.loader.launch.JarLauncher",
        folder: String = "BOOT-INF/lib/",
        classPath: String? = null,
    ): Path {
        val manifest = Manifest()
        manifest.mainAttributes[Attributes.Name.MANIFEST_VERSION] = "1.0"
        if (main != null) manifest.mainAttributes[Attributes.Name.MAIN_CLASS] = main
        if (classPath != null) manifest.mainAttributes[Attributes.Name.CLASS_PATH] = classPath
        val file = this.folder.resolve(name).createParentDirectories()
        JarOutputStream(Files.newOutputStream(file), manifest).use { out ->
            libraries.forEach { out.putNextEntry(JarEntry("$folder$it")) }
        }
        return file
    }

    @Test
    fun `the stack is the server among the libraries`() {
        val file = jar("orders-1.4.2-SNAPSHOT.jar", listOf("tomcat-embed-core-11.0.22.jar", "reactor-netty-http-1.3.1.jar"))
        val subject = inspectJar(file)
        subject.stack shouldBe Stack.TOMCAT
        subject.name shouldBe "orders"
        subject.origin shouldBe Origin.Jar("$file")
        subject.readyPath shouldBe null
        inspectJar(jar("a.jar", listOf("reactor-netty-http-1.3.1.jar"))).stack shouldBe Stack.NETTY
        inspectJar(jar("b.jar", listOf("reactor-netty-http-1.3.1.jar", "jetty-server-12.0.1.jar"))).stack shouldBe Stack.UNKNOWN
        inspectJar(jar("my app.jar", emptyList())).name shouldBe "my-app"
    }

    @Test
    fun `a WAR has its libraries elsewhere, and may have its server among those that are provided`() {
        val libraries = listOf("WEB-INF/lib/a.jar", "WEB-INF/lib-provided/tomcat-embed-core-11.0.22.jar")
        val war = jar("shop-1.0.war", libraries, folder = "")
        inspectJar(war).run { listOf(name, "$stack") } shouldContainExactly listOf("shop", "TOMCAT")
        // Spring Boot's tools refuse to extract libraries that are provided.
        contentsOf(war).whyNotExtracted(war).orEmpty() shouldContain "run it as `runtime: jar`"
        listOf("a.jar", "A.JAR", "a.war").all(::isNamedAsJar) shouldBe true
        listOf("a.yaml", "jar", "a.jar.original").none(::isNamedAsJar) shouldBe true
    }

    private fun written(name: String): Path =
        folder.resolve(name).createParentDirectories().also { it.writeText(name) }.toAbsolutePath()

    @Test
    fun `a thin jar has the libraries of its class path, but not all that is in its folder or elsewhere`() {
        val libraries = listOf("spring-boot-3.4.1.jar", "spring-webmvc-6.2.1.jar", "tomcat-embed-core-10.1.1.jar")
            .map { written("app/lib/$it") }
        val classes = written("app/config/application.yml")
        written("app/notes.txt")
        val other = written("other/more.jar")
        val words = libraries.joinToString(" ") { "lib/${it.fileName}" } +
            " . config/ ../other/ ../other/more.jar missing.jar http://a.test/b.jar"
        val thin = jar("app/shop.jar", emptyList(), main = "shop.App", classPath = words)

        filesBeside(thin) shouldContainExactlyInAnyOrder libraries + listOf(classes, other)
        inspectJar(thin).stack shouldBe Stack.TOMCAT
        whyNoVirtualThreads(thin, 25) shouldBe null
        filesBeside(jar("alone.jar", emptyList())).shouldBeEmpty()
        filesBeside(other).shouldBeEmpty()
    }

    @Test
    fun `a Quarkus fast-jar needs its whole folder`() {
        val main = "io.quarkus.bootstrap.runner.QuarkusEntryPoint"
        val fast = jar("quarkus-app/quarkus-run.jar", emptyList(), main, classPath = "lib/boot/a.jar")
        val all = listOf("lib/boot/a.jar", "lib/main/b.jar", "app/c.jar", "quarkus/d.jar").map { written("quarkus-app/$it") }
        filesBeside(fast) shouldContainExactlyInAnyOrder all
    }

    @Test
    fun `what cannot be started is refused with a sentence and a hint`() {
        val text = Files.writeString(folder.resolve("notes.txt"), "no jar")
        shouldThrow<UnusableJar> { inspectJar(folder.resolve("none.jar")) }.message.orEmpty() shouldContain "There is no file"
        shouldThrow<UnusableJar> { inspectJar(folder) }.message.orEmpty() shouldContain "is not a file"
        shouldThrow<UnusableJar> { inspectJar(text) }.message.orEmpty() shouldContain "is not a jar"
        shouldThrow<UnusableJar> { inspectJar(jar("plain.jar", emptyList(), main = null)) }.hint shouldContain "-plain.jar"
    }
}
