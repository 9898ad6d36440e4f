package bootdyno.faults

import bootdyno.system.socket.freePort
import com.sun.tools.attach.VirtualMachine
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.TimeUnit
import kotlin.io.path.readText
import kotlin.io.path.setPosixFilePermissions

/**
 * The JVM's ahead-of-time caches of the programs that a campaign starts hundreds of times, each trained once by what they then do: most of
 * the CPU time of a short run is that of starting.
 */
internal object StartCaches {
    private val root: Path by lazy {
        Files.createTempDirectory(Path.of("/tmp"), "faults-caches-").also {
            Runtime.getRuntime().addShutdownHook(Thread { removeWorld(it) })
            // Subjects may run as another user.
            it.setPosixFilePermissions(PosixFilePermissions.fromString("rwxr-xr-x"))
        }
    }

    /** Of dyno and its load engine, by a run of one trial; without it where that fails, which a fault then tells. */
    val dyno: Path by lazy {
        val cache = root.resolve("dyno.aot")
        val world = World(Files.createDirectories(root.resolve("training")))
        val jvm =
            listOf(DynoProcess.JAVA) + DynoProcess.FLAGS + "-XX:AOTCacheOutput=$cache" + "-Djava.io.tmpdir=${world.temporary}" +
                listOf("-Ddyno.home=${Path.of("..").toRealPath()}", "-cp", "${DynoProcess.JAR}", "bootdyno.cli.TrainingMainKt")
        val words = listOf("run", "${SmallExperiment(listOf("good")).writtenIn(world)}", "--out", "${world.runs}")
        val training = ProcessBuilder(jvm + words).directory(world.root.toFile()).redirectErrorStream(true)
            .redirectOutput(world.root.resolve("log").toFile())
        training.environment().putAll(world.environment)
        check(training.start().waitFor(TRAINING_SECONDS, TimeUnit.SECONDS)) { world.root.resolve("log").readText() }
        cache
    }

    private val jar: Path by lazy { subjectJar(root) }
    private val classPath: String by lazy { "$jar:${kotlinLibrary()}" }

    private val subject: Path by lazy {
        val cache = root.resolve("subject.aot")
        val port = freePort()
        val diary = root.resolve("good.training")
        val words = listOf("-XX:AOTCacheOutput=$cache", "-cp", classPath, MAIN, "$port", "--diary=$diary")
        val training = ProcessBuilder(listOf(DynoProcess.JAVA) + FLAGS + words).redirectErrorStream(true)
            .redirectOutput(root.resolve("subject.log").toFile()).start()
        await("the faulty subject listens") { Files.exists(diary) && "listening" in diary.readText() }
        listOf("/ready", "/work", "/work").forEach { URI("http://127.0.0.1:$port$it").toURL().readText() }
        // As probes do.
        VirtualMachine.attach("${training.pid()}").run {
            startLocalManagementAgent()
            detach()
        }
        training.destroy()
        check(training.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS)) { root.resolve("subject.log").readText() }
        cache
    }

    /** What starts a [FaultySubject]: its port, and its diary. */
    fun subjectCommand(port: String, diary: String): List<String> =
        listOf(DynoProcess.JAVA) + FLAGS + listOf("-Xmx48m", "-XX:AOTCache=$subject", "-cp", classPath, MAIN, port, diary)

    private const val MAIN = "bootdyno.faults.FaultySubjectKt"
    private const val TRAINING_SECONDS = 120L
    private val FLAGS = listOf("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:MaxDirectMemorySize=1g") +
        listOf("-Xlog:disable", "-Xlog:all=error:stderr")
}
