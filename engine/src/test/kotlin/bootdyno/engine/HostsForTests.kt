package bootdyno.engine

import bootdyno.model.EngineSpec
import bootdyno.model.OWN_ENGINE
import bootdyno.system.findOnPath
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.LockSupport
import kotlin.io.path.absolutePathString
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/**
 * Two hosts, each a network namespace of this machine with an sshd of its own, and the network to them. [target] is the address of this side
 * that both reach. Everything is in [folder] and in these namespaces, and ends with [close].
 */
internal class HostsForTests private constructor(private val folder: Path) : AutoCloseable {
    val target = "10.213.1.1"
    val names = listOf("10.213.1.2", "10.213.2.2")
    private val spaces = names.indices.map { "dyno-test-${ProcessHandle.current().pid()}-$it" }
    private val daemons = mutableListOf<Process>()
    val caches: List<Path> = names.indices.map { folder.resolve("cache$it") }

    /** The `java` processes of a host: its engines. */
    fun engines(host: Int): List<ProcessHandle> =
        daemons[host].descendants().filter { it.info().command().orElse("").endsWith("/java") }.toList()

    fun spec(vararg options: Pair<String, String>) = EngineSpec(
        OWN_ENGINE,
        options = mapOf(
            "hosts" to names.joinToString(","),
            "target" to target,
            "java" to Path.of(System.getProperty("java.home"), "bin", "java").absolutePathString(),
            "command" to "ssh -F ${folder.resolve("client")} {host}",
        ) + options,
    )

    private fun start() {
        names.forEachIndexed { i, name ->
            val own = name.removeSuffix(".2") + ".1"
            run("ip", "netns", "add", spaces[i])
            run("ip", "link", "add", link(i), "type", "veth", "peer", "name", "eth0", "netns", spaces[i])
            run("ip", "address", "add", "$own/30", "dev", link(i))
            run("ip", "link", "set", link(i), "up")
            run("ip", "-n", spaces[i], "address", "add", "$name/30", "dev", "eth0")
            run("ip", "-n", spaces[i], "link", "set", "eth0", "up")
            run("ip", "-n", spaces[i], "link", "set", "lo", "up")
            run("ip", "-n", spaces[i], "route", "add", "default", "via", own)
        }
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "$folder/host")
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "$folder/user")
        // Where sshd separates privileges; its package makes it when it starts a daemon of its own.
        Path.of("/run/sshd").createDirectories()
        folder.resolve("client").writeText(
            """
            BatchMode yes
            ConnectTimeout 10
            Port $PORT
            User root
            IdentityFile $folder/user
            IdentitiesOnly yes
            StrictHostKeyChecking no
            UserKnownHostsFile $folder/known
            LogLevel ERROR
            """.trimIndent(),
        )
        names.forEachIndexed { i, name ->
            val config = folder.resolve("sshd$i")
            config.writeText(
                """
                Port $PORT
                ListenAddress $name
                HostKey $folder/host
                PidFile $folder/sshd$i.pid
                AuthorizedKeysFile $folder/user.pub
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                PermitRootLogin yes
                SetEnv XDG_CACHE_HOME=${caches[i]}
                """.trimIndent(),
            )
            val sshd = findOnPath("/usr/sbin/sshd").toString()
            daemons += ProcessBuilder("ip", "netns", "exec", spaces[i], sshd, "-D", "-e", "-f", "$config")
                .redirectErrorStream(true).redirectOutput(folder.resolve("sshd$i.log").toFile()).start()
        }
        names.forEach { name -> until("sshd answers on $name") { succeeds("ssh", "-F", "$folder/client", name, "true") } }
    }

    override fun close() {
        daemons.forEach { daemon ->
            daemon.descendants().forEach { it.destroyForcibly() }
            daemon.destroy()
            daemon.waitFor(5, TimeUnit.SECONDS)
        }
        spaces.indices.forEach { succeeds("ip", "link", "delete", link(it)) }
        spaces.forEach { succeeds("ip", "netns", "delete", it) }
    }

    private fun link(i: Int) = "dt${ProcessHandle.current().pid()}x$i"

    companion object {
        private const val PORT = 2222

        /** Why there are no such hosts here; null if there are. */
        fun whyNot(): String? = when {
            System.getProperty("user.name") != "root" -> "only root makes network namespaces"
            findOnPath("/usr/sbin/sshd") == null -> "there is no sshd here (Debian: apt-get install openssh-server)"
            findOnPath("ssh") == null -> "there is no ssh here (Debian: apt-get install openssh-client)"
            findOnPath("ip") == null -> "there is no ip here (Debian: apt-get install iproute2)"
            !succeeds("unshare", "--net", "true") -> "network namespaces are not permitted here"
            else -> null
        }

        fun start(folder: Path): HostsForTests = HostsForTests(Files.createTempDirectory(folder, "hosts")).also {
            try {
                it.start()
            } catch (failure: Throwable) {
                it.close()
                throw failure
            }
        }

        private fun run(vararg words: String) {
            val process = ProcessBuilder(*words).redirectErrorStream(true).start()
            val said = process.inputReader().readText()
            check(process.waitFor() == 0) { "${words.joinToString(" ")}: $said" }
        }

        private fun succeeds(vararg words: String): Boolean = ProcessBuilder(*words)
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0
    }
}

/** Waits until [condition] holds, at most 20 s. */
internal fun until(what: String, condition: () -> Boolean) {
    val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20)
    while (!condition()) {
        check(System.nanoTime() < deadline) { "not within 20 s: $what" }
        LockSupport.parkNanos(20_000_000)
    }
}
