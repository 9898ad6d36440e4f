package bootdyno.kubernetes

import bootdyno.faults.DynoProcess
import bootdyno.faults.Shell
import bootdyno.faults.StartCaches
import bootdyno.faults.removeWorld
import bootdyno.system.findOnPath
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isExecutable
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** A real Kubernetes of two nodes on this machine, by the scripts beside this test. Its pods see the programs of this machine. */
internal class TestCluster private constructor(private val folder: Path) : AutoCloseable {
    private val state = folder.resolve("state")
    private val kubeconfig = state.resolve("kubeconfig")

    /** Of a user with the permissions of docs/networks.md only. */
    val shell = Shell(environment = mapOf("KUBECONFIG" to "$kubeconfig"), program = PROGRAM)

    /** The pod template that such pods need: the network of their node, and its programs. */
    val template: Path = folder.resolve("template.yaml")

    /** Runs `kubectl` as the administrator, and returns what it prints. */
    fun kubectl(vararg words: String): String =
        run(listOf("${BIN.resolve("kubectl")}", "--kubeconfig=$kubeconfig", "--context=admin") + words)

    /** Names of Jobs or pods. */
    fun names(kind: String): List<String> = kubectl("get", kind, "-o", "name").lines().filter { it.isNotBlank() }

    fun killKubelet(node: Int) {
        run(listOf("kill", "-KILL", pid("node$node-kubelet")))
    }

    fun startKubelet(node: Int) {
        val name = state.resolve("node$node-kubelet")
        run(listOf("bash", "-c", "setsid $(cat $name.command) >>$name.log 2>&1 & echo \$! >$name.pid"))
        kubectl("wait", "--for=condition=Ready", "--timeout=100s", "node/127.0.0.$node")
    }

    /** Waits until there is no Job and no pod. */
    fun awaitNoJobs() {
        kubectl("wait", "--for=delete", "--timeout=60s", "--all", "jobs,pods")
        check((names("jobs") + names("pods")).isEmpty()) { "left: ${names("jobs")} ${names("pods")}" }
    }

    override fun close() {
        run(listOf("bash", "${folder.resolve("down")}", "$state"))
        removeWorld(folder)
    }

    private fun pid(name: String) = state.resolve("$name.pid").readText().trim()

    private fun start() {
        listOf("up", "down", "image").forEach { name ->
            val script = folder.resolve(name)
            script.writeText(checkNotNull(javaClass.getResource(name)).readText())
            script.toFile().setExecutable(true)
        }
        run(listOf("bash", "${folder.resolve("up")}", "$BIN", "$state", "2"))
        (1..2).forEach { importImage(state.resolve("node$it/containerd.sock")) }
        allow()
        writeTemplate()
    }

    /** An image without programs of its own. */
    private fun importImage(socket: Path) {
        val root = folder.resolve("root")
        if (!root.exists()) {
            listOf("tmp", "usr", "etc", "root", "opt/dyno/bin").forEach { root.resolve(it).createDirectories() }
            listOf("bin", "sbin", "lib", "lib64").forEach { Files.createSymbolicLink(root.resolve(it), Path("usr", it)) }
            val dyno = root.resolve("opt/dyno/bin/dyno")
            val own = listOf("-Djava.io.tmpdir=/tmp", "-Duser.home=/tmp", "-Ddyno.home=/opt/dyno")
            val flags = DynoProcess.FLAGS + DynoProcess.CACHED + own
            dyno.writeText("#!/bin/sh\nexec ${DynoProcess.JAVA} ${flags.joinToString(" ")} -jar ${DynoProcess.JAR} \"$@\"\n")
            dyno.toFile().setExecutable(true)
        }
        run(listOf("bash", "${folder.resolve("image")}", "$socket", IMAGE, "$root"))
    }

    /** What docs/networks.md tells users to apply. */
    private fun allow() {
        val page = Path("..", "docs", "networks.md").readText()
        val role = folder.resolve("role.yaml").apply {
            val rest = page.substringAfter("kind: Role\n").substringBefore("```")
            writeText("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n$rest")
        }
        kubectl("apply", "-f", "$role")
        kubectl("create", "rolebinding", "dyno", "--role=boot-dyno", "--user=dyno")
    }

    private fun writeTemplate() {
        val programs = listOf("/usr", "${DynoProcess.JAR.parent}", System.getProperty("java.home")).filterNot {
            it.startsWith("/usr/")
        }
        val shared = programs + "${StartCaches.dyno.parent}"
        val mounts = shared.mapIndexed { index, path -> "        - { name: host$index, mountPath: $path, readOnly: true }" }
        val volumes = shared.mapIndexed { index, path -> "    - { name: host$index, hostPath: { path: $path } }" }
        template.writeText(
            """
            spec:
              hostNetwork: true
              containers:
                - name: dyno
                  volumeMounts:
            ${mounts.joinToString("\n            ")}
              volumes:
            ${volumes.joinToString("\n            ")}
            """.trimIndent(),
        )
    }

    companion object {
        private val PROGRAM = listOf(
            "-cp",
            "${DynoProcess.JAR}:${Path("..", "kubernetes", "target", "dyno-kubernetes.jar").toAbsolutePath().normalize()}",
            "bootdyno.kubernetes.KubernetesMainKt",
        )

        const val IMAGE = "localhost/dyno:1"

        /** On the `PATH`, or where `build` beside the scripts puts what it builds. */
        private val BIN =
            findOnPath("kube-apiserver")?.parent ?: Path(System.getProperty("user.home"), ".cache", "boot-dyno-k8s", "bin")
        private val PROGRAMS = listOf("etcd", "containerd", "runc", "ctr", "openssl", "setsid")
        private val BUILT = listOf("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl", "pause")
        private val LONGEST = 120.seconds

        /** Why there can be no cluster here; null if there can. */
        fun whyNot(): String? {
            val unbuilt = BUILT.filterNot { BIN.resolve(it).isExecutable() }
            val missing = PROGRAMS.filter { findOnPath(it) == null }
            return when {
                System.getProperty("user.name") != "root" -> "a cluster needs root"
                unbuilt.isNotEmpty() -> "$BIN lacks ${unbuilt.joinToString()}: kubernetes/build of the test resources makes them"
                missing.isNotEmpty() -> "there is no ${missing.joinToString()}: apt install etcd-server containerd runc openssl"
                else -> null
            }
        }

        fun start(): TestCluster {
            val cluster = TestCluster(Files.createTempDirectory(Path("/tmp"), "kubernetes-"))
            try {
                cluster.start()
            } catch (failure: Throwable) {
                cluster.close()
                throw failure
            }
            return cluster
        }

        private fun run(words: List<String>): String {
            val output = Files.createTempFile("kubernetes-", ".log")
            try {
                val process = ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start()
                val ended = process.waitFor(LONGEST.inWholeSeconds, TimeUnit.SECONDS)
                if (!ended) process.destroyForcibly()
                check(ended && process.exitValue() == 0) { "${words.joinToString(" ")} failed:\n${output.readText()}" }
                return output.readText()
            } finally {
                Files.deleteIfExists(output)
            }
        }
    }
}
