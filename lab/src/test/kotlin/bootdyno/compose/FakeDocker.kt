package bootdyno.compose

import bootdyno.launch.docker.DockerCli
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.writeText

/** A docker command that starts nothing: it writes down what it is asked for, and shows the containers that a test gave it. */
internal class FakeDocker(private val folder: Path) {
    private val containers = folder.resolve("containers").createDirectories()
    private val asked = folder.resolve("asked")

    val cli: DockerCli = folder.resolve("docker").let { script ->
        script.writeText(SCRIPT)
        check(script.toFile().setExecutable(true))
        DockerCli(script, mapOf("STATE" to "$folder"))
    }

    /** What it was asked for, one command a line. */
    fun calls(beginning: String = ""): List<String> =
        if (asked.exists()) asked.readLines().filter { it.startsWith(beginning) } else emptyList()

    /** A container that is there after `up`: [port] is the published one of [inside], [ip] its own address, [kept] its folder. */
    fun has(
        id: String,
        image: String,
        pid: Long,
        inside: Int? = null,
        port: Int? = null,
        status: String = "running",
        exit: Int = 0,
        health: String? = null,
        password: String? = null,
        ip: String = "",
        kept: Path? = null,
        powers: String = "",
    ) {
        val ports = if (inside == null) "{}" else """{ "$inside/tcp": ${port?.let { """[ { "HostPort": "$it" } ]""" }} }"""
        val checked = """[ { "ExitCode": 1, "Output": "no\nsuch role\n" } ]"""
        val sick = health?.let { """, "Health": { "Status": "$it", "Log": $checked }""" }.orEmpty()
        val mounts = kept?.let { """{ "Type": "bind", "Source": "$it", "Destination": "/data", "RW": true }""" }.orEmpty()
        containers.resolve(id).writeText(
            """{ "image": "$image", "state": { "Status": "$status", "ExitCode": $exit, "Pid": $pid$sick },""" +
                """ "env": [ ${password?.let { "\"POSTGRES_PASSWORD=$it\"" }.orEmpty()} ],""" +
                """ "network": "x", "ports": $ports, "networks": { "x": { "IPAddress": "$ip" } },""" +
                """ "mounts": [ $mounts ], $powers""" +
                """ "labels": { "com.docker.compose.service": "$id" } }""",
        )
    }

    /** What `config` prints of the compose file. */
    fun resolves(services: String) = folder.resolve("model").writeText("""{ "services": { $services } }""")

    fun refusesUp() = folder.resolve("refuses").writeText("")

    fun acceptsUp() = folder.resolve("refuses").deleteIfExists()

    private companion object {
        val SCRIPT = """
            #!/bin/sh
            echo "${'$'}*" >>"${'$'}STATE/asked"
            for last; do :; done
            case "${'$'}*" in
                compose*config*) cat "${'$'}STATE/model" 2>/dev/null ;;
                "exec "*) echo "secret of ${'$'}last" ;;
                compose*up*)
                    : >"${'$'}STATE/up"
                    if [ -f "${'$'}STATE/refuses" ]; then echo "port is already allocated"; exit 1; fi ;;
                "container ls"*) if [ -f "${'$'}STATE/up" ]; then ls "${'$'}STATE/containers"; fi ;;
                "container inspect"*) cat "${'$'}STATE/containers/${'$'}last" ;;
                "container rm"*) rm -f "${'$'}STATE/up" ;;
                "container logs"*) echo "last words of ${'$'}last" ;;
            esac
            exit 0
        """.trimIndent() + "\n"
    }
}
