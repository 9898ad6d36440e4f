package bootdyno.cli

import bootdyno.launch.standInJar
import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarOutputStream
import java.util.jar.Manifest
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** An application that is named by its jar or by flags, up to the plan: nothing is started. */
class ApplicationCommandsTest(@param:TempDir private val folder: Path) {
    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(words.toList())

    private fun refused(vararg words: String): String = dyno(*words).also { it.statusCode shouldBe ExitCode.INPUT }.stderr

    private fun planned(vararg words: String): String = dyno("plan", *words).also { it.statusCode shouldBe ExitCode.FINE }.output

    /** With the libraries of a Spring Boot application, empty. */
    private fun springJar(version: String, web: String = "spring-webmvc-7.0.8.jar"): String = standInJar(
        folder.resolve("boot").createDirectories(),
        "BOOT-INF/lib/spring-boot-$version.jar",
        "BOOT-INF/lib/$web",
        name = "app-$version.jar",
    ).toString()

    @Test
    fun `a servlet application is compared with itself on virtual threads, where it can have both`() {
        val said = planned(springJar("4.1.0"), "--path", "/orders")
        said shouldContain "Platform and virtual threads are compared"
        said shouldContain "virtual-threads-off/orders"
        said shouldContain "virtual-threads-on/orders"
        said shouldContain "2 rounds in at most about"
        said shouldContain "then up to 3 more, until every verdict is settled or"
    }

    @Test
    fun `several paths and requests are a mix, and are refused beside an experiment file`() {
        val body = folder.resolve("order.json").also { it.writeText("{}") }
        val jar = springJar("4.1.0")
        planned(jar, "--path", "/orders", "--request", "POST /orders @$body 201") shouldContain "virtual-threads-on/mix"
        planned(jar, "--request", "POST /orders @$body 201") shouldContain "virtual-threads-on/post-orders"
        refused("plan", jar, "--request", "POST /orders @$folder/none.json") shouldContain "There is no file $folder/none.json"
        val file = folder.resolve("file.yaml").also { it.writeText("title: A\n") }
        refused("plan", "$file", "--path", "/x") shouldContain "An experiment file says this itself, without --path."
    }

    @Test
    fun `another application is measured alone, and the reason is said`() {
        planned(springJar("2.7.18"), "--path", "/orders") shouldContain
            "Spring Boot 2.7 has no setting for virtual threads, which came with 3.2. It is measured alone"
        planned(springJar("3.5.1", web = "spring-webflux-6.2.1.jar"), "--path", "/x") shouldContain "is no servlet application"
        planned("--command", "./serve --port {port}", "--path", "/x") shouldContain "as-is/x"
    }

    @Test
    fun `a WAR and a jar in capitals are applications, too`() {
        listOf("shop.war", "SHOP.JAR").forEach {
            planned("${standInJar(folder, name = it)}", "--path", "/x") shouldContain "as-is/x"
        }
    }

    @Test
    fun `an experiment file that is there already is refused before the application starts`() {
        val file = folder.resolve("app.yaml").also { it.writeText("title: A\n") }
        val jar = springJar("4.1.0")
        listOf("run", "init").forEach {
            refused(it, jar, "--write-experiment", "$file") shouldContain "There is a file $file already."
        }
    }

    @Test
    fun `what is compared by flags is all that is compared`() {
        val jar = springJar("4.1.0")
        val said = planned(jar, "--path", "/x", "--vary", "server.tomcat.threads.max=50,200")
        said shouldContain "tomcat-threads-50/x"
        said shouldNotContain "virtual-threads"
        planned(jar, "--path", "/x", "--setting", "spring.threads.virtual.enabled=true") shouldContain "as-is/x"
        planned(jar, "--path", "/x", "--java", "17,21") shouldContain "jdk-21/x"
        planned(jar, "--path", "/x", "--vary", "a=1,2", "--vary", "b=1,2", "--design", "one-at-a-time") shouldContain "baseline/x"
    }

    @Test
    fun `the plan says which variants share a process, and how long it takes without`() {
        val words = arrayOf(springJar("4.1.0"), "--path", "/x", "--vary", "server.tomcat.threads.max=50,200")
        planned(*words) shouldContain "The 2 variants share one process a round: server.tomcat.threads.max changes while it runs"
        planned(*words, "--fresh") shouldNotContain "share one process"
    }

    @Test
    fun `the plan says the whole command again`() {
        val said = planned("--url", "http://127.0.0.1:8080", "--path", "/x", "--ready", "up")
        said shouldContain "Run it: ./dyno run --url http://127.0.0.1:8080 --path /x --ready up"
    }

    @Test
    fun `the protocol of an application is in its file, and in the command that is said again`() {
        val file = folder.resolve("secure.yaml")
        val said = planned(springJar("4.1.0"), "--path", "/x", "--https", "--http", "2", "--write-experiment", "$file")
        said shouldContain "--https"
        said shouldContain "--http 2"
        file.readText() shouldContain "https: true"
        file.readText() shouldContain "http: 2"
        refused("plan", "--url", "http://127.0.0.1:1", "--path", "/", "--https") shouldContain
            "write https:// or http:// in the `url`"
        refused("plan", "$file", "--https") shouldContain "without --https"
    }

    @Test
    fun `flags that contradict each other, or the file, are refused`() {
        refused("plan") shouldContain "Nothing to measure is named."
        refused("plan", "app.jar", "--url", "http://127.0.0.1:1") shouldContain "app.jar and --url each name an application."
        refused("plan", "--command", "./serve 'x") shouldContain "a quote is not closed"
        refused("plan", "--command", " ") shouldContain "names no program"
        refused("plan", "--url", "ftp://x", "--path", "/") shouldContain "is not the http:// or https:// address of a server"
        dyno("plan", "app.jar", "--path", "http://127.0.0.1:8080/orders").stderr shouldContain
            "write only the path of this address"
        dyno("plan", "app.jar", "--ready", "/a b").stderr shouldContain "has a space"
        refused("plan", "--image", "a b", "--path", "/") shouldContain "is not the name of an image"
    }

    @Test
    fun `a library jar is refused with what to give instead`() {
        val library = folder.resolve("library.jar")
        JarOutputStream(Files.newOutputStream(library), Manifest()).close()
        refused("run", "$library") shouldContain "cannot be started: its manifest names no Main-Class."
        refused("init", "$library") shouldContain "spring-boot:repackage"
        refused("init", "quick") shouldContain "quick is no jar."
    }

    @Test
    fun `a JDK that is not here is refused before anything starts`() {
        val jar = springJar("4.1.0")
        refused("run", jar, "--path", "/x", "--java", "7") shouldContain "There is no JDK 7"
        refused("run", jar, "--path", "/x", "--java", "/nowhere/jdk") shouldContain "There is no java at '/nowhere/jdk'"
    }

    @Test
    fun `a compose file beside the jar is announced, one in the project is only mentioned`() {
        val jar = springJar("4.1.0")
        val beside = folder.resolve("boot/compose.yaml")
        beside.writeText("services: {}")
        planned(jar, "--path", "/x") shouldContain "The services of $beside are started"
        planned(jar, "--path", "/x", "--compose", "none") shouldNotContain "compose.yaml"
        refused("plan", jar, "--path", "/x", "--compose", "$folder/none.yaml") shouldContain "there is no file $folder/none.yaml"
        val project = folder.resolve("project")
        val built = standInJar(project.resolve("target").createDirectories())
        project.resolve("docker-compose.yml").writeText("services: {}")
        planned("$built", "--path", "/x") shouldContain "Not started: $project/docker-compose.yml"
    }

    @Test
    fun `settings beside the jar are not read, which is said, unless the application starts there`() {
        val jar = springJar("4.1.0")
        val settings = folder.resolve("boot/config").createDirectories().resolve("application-dev.yml")
        settings.writeText("a: b")
        planned(jar, "--path", "/x") shouldContain "Not read: $settings. The application starts in an empty folder; " +
            "--working-directory $folder/boot starts it there."
        val file = folder.resolve("there.yaml")
        val there = arrayOf(jar, "--path", "/x", "--working-directory", "$folder/boot")
        planned(*there, "--write-experiment", "$file") shouldNotContain "Not read"
        file.readText() shouldContain "working-directory: $folder/boot"
        refused("plan", *there, "--in", "docker") shouldContain "does not start in a folder of this machine"
    }

    @Test
    fun `the experiment file of flags is written once, without secrets, and can be planned`() {
        val file = folder.resolve("mine.yaml")
        val flags = arrayOf(springJar("4.1.0"), "--path", "/x", "--env", "DB_PASSWORD=hunter2", "--write-experiment", "$file")
        planned(*flags) shouldContain "It has no secrets. Fill them in: variant virtual-threads-off: DB_PASSWORD"
        val text = file.readText()
        text shouldContain "# Configurations to compare, each of one subject.\nvariants:"
        text shouldNotContain "hunter2"
        planned("$file") shouldContain "virtual-threads-on/x"
        refused("plan", *flags) shouldContain "There is a file $file already."
        file.exists() shouldBe true
    }
}
