package bootdyno.launch.docker

import bootdyno.system.ChildOutput
import bootdyno.system.deleteTree
import bootdyno.system.endAll
import bootdyno.system.familyOf
import bootdyno.system.findOnPath
import bootdyno.system.killAll
import bootdyno.system.lastLines
import bootdyno.system.runShortly
import bootdyno.system.startChild
import bootdyno.system.waitUntil
import org.junit.jupiter.api.Assumptions.abort
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** Modules that the stand-in needs, and what is asked of a JVM over JMX. */
private const val MODULES = "java.base,java.logging,jdk.httpserver,java.management,jdk.management,jdk.management.agent,jdk.attach"

/** A base image with a java on its PATH, and one without. */
internal const val WITH_JAVA = "dyno-test:java"
internal const val WITHOUT_JAVA = "dyno-test:shell"

/**
 * A real Docker engine of this suite's own, as Debian's docker.io has it: without a network, all its files in [folder], which is short,
 * since the path of a socket is.
 */
internal class StartedEngine private constructor(private val folder: Path, private val daemon: Process) : AutoCloseable {
    val socket = "unix://$folder/docker.sock"

    /** Nothing of the user's own settings but their plugins, of which compose is one. */
    val cli = DockerCli(checkNotNull(findOnPath("docker")), mapOf(DockerCli.HOST to socket, "DOCKER_CONFIG" to "$folder/config"))

    /** The names of all containers there are, running or not. */
    fun containers(): List<String> = names("container", "ls", "--all", "--format", "{{.Names}}")

    fun images(): List<String> = names("image", "ls", "--format", "{{.Repository}}:{{.Tag}}")

    /** Of which containers leave one each that is not removed with them. */
    fun volumes(): List<String> = names("volume", "ls", "--quiet")

    /** The networks that somebody has made. */
    fun networks(): List<String> = names("network", "ls", "--filter", "type=custom", "--format", "{{.Name}}")

    private fun names(vararg words: String) = cli.ask(*words).output.lines().filter { it.isNotBlank() }

    /** A small root file system each: a shell, a JDK of few modules, and the libraries that both need. */
    fun importBaseImages() {
        importImage(WITHOUT_JAVA) {}
        importImage(WITH_JAVA) {
            val home = System.getProperty("java.home")
            val java = path.resolve("opt/java")
            // A JDK without its modules' files cannot link: then all of it.
            shell("$home/bin/jlink --add-modules $MODULES --output $java >&2 || { rm -rf $java; cp -RL $home $java; }")
            withLibraries("$java/bin/java $java/lib/*.so $java/lib/*/*.so")
            Files.createSymbolicLink(path.resolve("usr/bin/java"), Path("/opt/java/bin/java"))
        }
    }

    /** An image of a shell and what [fill] adds; [changes] as `docker import --change` takes them. */
    fun importImage(name: String, changes: List<String> = emptyList(), fill: RootFileSystem.() -> Unit) {
        val root = RootFileSystem(Files.createTempDirectory(folder, "root"))
        shell("cd ${root.path} && mkdir -p bin opt usr/bin etc && mkdir -m 1777 tmp && chmod 755 .")
        root.program("sh")
        root.fill()
        val flags = changes.joinToString(" ") { "--change '$it'" }
        shell("tar -C ${root.path} -c . | ${cli.command("import").joinToString(" ")} $flags - $name")
        deleteTree(root.path)
    }

    /** What becomes the root of an image, in [path]. */
    inner class RootFileSystem(val path: Path) {
        /** A program of this machine, with the libraries it needs. */
        fun program(name: String) {
            shell("cp -L ${findOnPath(name)} $path/bin/$name")
            withLibraries("$path/bin/$name")
        }

        /** The libraries that [files] need, by their paths. */
        fun withLibraries(files: String) = shell(
            "for f in $files; do ldd \$f 2>/dev/null; done | grep -oE '/[^ ]+[.]so[^ ]*' | grep -v '^$path' | sort -u | " +
                "while read l; do mkdir -p $path\$(dirname \$l) && cp -L \$l $path\$l; done",
        )

        fun script(name: String, text: String) {
            path.resolve(name).writeText(text)
            path.resolve(name).toFile().setExecutable(true, false)
        }

        fun shell(script: String) = this@StartedEngine.shell(script)
    }

    private fun shell(script: String) {
        val log = folder.resolve("base.log")
        val child = startChild(listOf("sh", "-ec", script), cli.environment)
        ChildOutput.start(log, child.inputStream)
        check(child.waitFor(120, TimeUnit.SECONDS) && child.exitValue() == 0) { "$script: ${lastLines(log, 20)}" }
    }

    /** As an engine that crashes: at once, with the containerd it started. What runs in its containers lives on. */
    fun crash() {
        killAll(familyOf(daemon.pid()))
        daemon.waitFor()
    }

    /** By its pid, with the containerd it started; what it left mounted is unmounted. */
    override fun close() {
        val family = familyOf(daemon.pid())
        daemon.destroy()
        daemon.waitFor(30, TimeUnit.SECONDS)
        check(endAll(family, 5.seconds)) { "the engine did not end: $family" }
        Path("/proc/self/mountinfo").readLines().map { it.split(' ')[4] }.filter { it.startsWith("$folder/") }.sortedDescending()
            .forEach { runShortly(listOf("umount", "-l", it)) }
        deleteTree(folder)
    }

    companion object {
        /** `vfs` works anywhere, but copies all of an image for each step of a build, and twice for each container. */
        private fun storageDriver(folder: Path): String {
            val isKnown = Path("/proc/filesystems").readLines().any { it.endsWith("\toverlay") }
            return if (isKnown && Files.getFileStore(folder).type() in listOf("ext4", "xfs")) "overlay2" else "vfs"
        }

        /** Skips the test that calls it, with the reason, where no engine can be run. */
        fun orSkip(): StartedEngine {
            assumeTrue(findOnPath("dockerd") != null && findOnPath("docker") != null) { "no dockerd or no docker on the PATH" }
            assumeTrue(System.getProperty("user.name") == "root") { "an engine can be started by root only" }
            val folder = Files.createTempDirectory("dyno-engine")
            val log = folder.resolve("dockerd.log")
            val words = listOf("dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none") +
                listOf(
                    "--storage-driver=${storageDriver(folder)}",
                    "--data-root=$folder/data",
                    "--exec-root=$folder/exec",
                    "--pidfile=$folder/pid",
                    "--host=unix://$folder/docker.sock",
                )
            val plugins = Path(System.getProperty("user.home"), ".docker", "cli-plugins")
            if (plugins.exists()) {
                Files.createSymbolicLink(folder.resolve("config").createDirectories().resolve("cli-plugins"), plugins)
            }
            val daemon = ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start()
            val engine = StartedEngine(folder, daemon)
            val ready = waitUntil(60.seconds, every = 0.1.seconds) {
                !daemon.isAlive || (folder.resolve("docker.sock").exists() && dockerEngine(engine.cli) != null)
            }
            if (ready && daemon.isAlive) return engine
            val said = lastLines(log, 3).joinToString("\n")
            engine.close()
            return abort("the Docker engine does not run here: $said")
        }
    }
}
