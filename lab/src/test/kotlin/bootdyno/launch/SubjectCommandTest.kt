package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Variant
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Path

class SubjectCommandTest {
    private val limits = Limits(1.5, Bytes(Bytes.GIB), CpuBy.QUOTA)
    private val origin = Origin.Jar("/apps/orders.jar")
    private val jar = Program.Jar(Path.of(origin.path), emptyList())
    private val ports = listOf("PORT", "SERVER_PORT", "QUARKUS_HTTP_PORT", "MICRONAUT_SERVER_PORT").associateWith { "4711" } +
        listOf("QUARKUS_HTTP_HOST", "MICRONAUT_SERVER_HOST").associateWith { "127.0.0.1" }
    private val java25 = JavaRuntime(Path.of("/jdk/bin/java"), 25)

    @Test
    fun `a jar runs with its flags, its settings and the free port`() {
        val variant =
            Variant(
                "v",
                "s",
                settings = mapOf("a.b" to "true", "server.port" to "8080"),
                jvm = listOf("-Xss1m"),
                environment = mapOf("X" to "1"),
            )
        val command = jarCommand(cellOf(origin, limits, variant).launchable(), jar, java25, port = 4711, heapFrom = null)
        command.words shouldContainExactly listOf(
            "/jdk/bin/java",
            "-XX:ActiveProcessorCount=2",
            "--enable-native-access=ALL-UNNAMED",
            "-Xss1m",
            "-Dserver.address=127.0.0.1",
            "-Da.b=true",
            "-Dserver.port=4711",
            "-jar",
            "/apps/orders.jar",
        )
        command.environment shouldContainExactly ports + ("X" to "1")
        command.notes.shouldBeEmpty()
    }

    @Test
    fun `an older java gets no flag it does not know, and the variant's own word counts`() {
        val variant = Variant("v", "s", jvm = listOf("-XX:ActiveProcessorCount=4", "-XX:MaxRAM=1g"))
        val command =
            jarCommand(
                cellOf(origin, limits, variant).launchable(),
                jar,
                JavaRuntime(Path.of("java"), 17),
                1,
                heapFrom = Bytes(Bytes.GIB),
            )
        command.words shouldContainExactly
            listOf(
                "java",
                "-XX:ActiveProcessorCount=4",
                "-XX:MaxRAM=1g",
                "-Dserver.address=127.0.0.1",
                "-Dserver.port=1",
                "-jar",
                "/apps/orders.jar",
            )
    }

    @Test
    fun `without a group the heap is sized from the memory limit, and a note says so`() {
        val command = jarCommand(cellOf(origin, limits).launchable(), jar, java25, 1, heapFrom = Bytes(Bytes.GIB))
        command.words[2] shouldBe "-XX:MaxRAM=1073741824"
        command.notes shouldHaveSize 1
    }

    @Test
    fun `a command gets the port in its words and its environment, and its settings as JSON`() {
        val origin = Origin.Command(listOf("./server", "--port={port}"))
        val variant = Variant("v", "s", settings = mapOf("a" to "say \"hi\""), environment = mapOf("X" to "1"))
        val command = plainCommand(cellOf(origin, limits, variant).launchable(), origin, 4711, heapFrom = null)
        command.words shouldContainExactly listOf("./server", "--port=4711")
        command.environment shouldContainExactly
            mapOf(
                "SERVER_ADDRESS" to "127.0.0.1",
                "SPRING_APPLICATION_JSON" to """{"a":"say \"hi\""}""",
                "X" to "1",
            ) + ports
    }

    @Test
    fun `the port is filled in where an application takes it by a key of its own`() {
        val variant = Variant("v", "s", mapOf("shop.port" to "{port}"), listOf("-Da={port}"), mapOf("SHOP_PORT" to "{port}"))
        val what = cellOf(origin, limits, variant).launchable()
        val command = jarCommand(what, jar, java25, port = 4711, heapFrom = null)
        command.words shouldContainAll listOf("-Da=4711", "-Dshop.port=4711")
        command.environment["SHOP_PORT"] shouldBe "4711"
        val image = imageCommand(what, 4711, options = "").environment
        image["JAVA_TOOL_OPTIONS"] shouldBe "-XX:ActiveProcessorCount=2 -Da=4711"
        image["SPRING_APPLICATION_JSON"] shouldBe """{"shop.port":"4711"}"""
    }

    @Test
    fun `an image gets everything by its environment, and no secret as a flag that its JVM prints`() {
        val jvm = listOf("-Xmx64m", "-Ddb.password=hunter2")
        val variant = Variant("v", "s", settings = mapOf("a" to "b"), jvm = jvm, environment = mapOf("X" to "1"))
        val cell = cellOf(Origin.Image("shop/orders:1"), limits, variant)
        val command = imageCommand(cell.launchable(), 4711, options = "-Dof.image=1")
        command.words.shouldBeEmpty()
        command.environment shouldContainExactly mapOf(
            "JAVA_TOOL_OPTIONS" to "-Dof.image=1 -XX:ActiveProcessorCount=2 -Xmx64m",
            "SERVER_ADDRESS" to "127.0.0.1",
            "SPRING_APPLICATION_JSON" to """{"a":"b","db.password":"hunter2"}""",
            "X" to "1",
        ) + ports
    }

    @Test
    fun `what a form gives stands before the variant's own flags, and an executable gets the same properties`() {
        val variant = Variant("v", "s", settings = mapOf("a.b" to "true"), jvm = listOf("-Xmx64m"))
        val what = cellOf(origin, limits, variant).launchable()
        val cached = Program.Jar(Path.of("/out/orders.jar"), listOf("-XX:AOTCache=/out/app.aot", "-XX:AOTMode=on"))
        jarCommand(what, cached, java25, 4711, heapFrom = null).words.drop(3) shouldContainExactly listOf(
            "-XX:AOTCache=/out/app.aot",
            "-XX:AOTMode=on",
            "-Xmx64m",
            "-Dserver.address=127.0.0.1",
            "-Da.b=true",
            "-Dserver.port=4711",
            "-jar",
            "/out/orders.jar",
        )
        val native = executableCommand(what, Program.Executable(Path.of("/out/orders")), 4711, heapFrom = Bytes(Bytes.GIB))
        native.words shouldContainExactly
            listOf(
                "/out/orders",
                "-XX:ActiveProcessorCount=2",
                "-Xmx64m",
                "-Dserver.address=127.0.0.1",
                "-Da.b=true",
                "-Dserver.port=4711",
            )
        native.notes shouldHaveSize 1
    }

    @Test
    fun `where no file of arguments is read, secret settings go by the environment, and a note says so`() {
        val variant = Variant("v", "s", settings = mapOf("db.password" to "hunter2", "a" to "b"))
        val plain =
            jarCommand(cellOf(origin, limits, variant).launchable(), jar, JavaRuntime(Path.of("java"), 8), 1, heapFrom = null)
        plain.readsArgumentFile shouldBe false
        val hidden = secretsInEnvironment(plain)
        hidden.words.filter { "hunter2" in it }.shouldBeEmpty()
        hidden.words.contains("-Da=b") shouldBe true
        (hidden.environment - ports.keys) shouldContainExactly
            mapOf("SPRING_APPLICATION_JSON" to """{"db.password":"hunter2"}""")
        hidden.notes shouldHaveSize 1
    }

    @Test
    fun `a JDK says its number in its release file`() {
        javaFeature("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.12\"\n") shouldBe 17
        javaFeature("JAVA_VERSION=\"1.8.0_402\"") shouldBe 8
        javaFeature("JAVA_VERSION=\"25\"") shouldBe 25
        javaFeature("IMPLEMENTOR=\"x\"") shouldBe null
        javaRuntime(System.getProperty("java.home")).feature shouldBe Runtime.version().feature()
    }
}
