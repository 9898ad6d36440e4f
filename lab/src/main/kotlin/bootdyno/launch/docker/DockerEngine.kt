package bootdyno.launch.docker

import kotlin.time.Duration.Companion.seconds

/** What to do where there is none. */
private const val HOW_TO_GET = "Install it (Debian, Ubuntu: apt-get install docker.io)."
private const val HOW_TO_REACH =
    "Start it (systemctl start docker), let your user reach it (the group docker), or say where it is with DOCKER_HOST."

/** The engine that answers, by its version: `Docker 28.2.2`. Null where none does. */
fun dockerEngine(cli: DockerCli? = DockerCli.found()): String? =
    cli?.ask("version", "--format", "{{.Server.Version}}")?.takeIf { it.succeeded }?.let { "Docker ${it.answer()}" }

/** Why nothing can be measured in a container here, in a sentence with what to do; null: one can. */
fun whyNoDocker(cli: DockerCli? = DockerCli.found()): String? {
    cli ?: return "There is no docker command on the PATH. $HOW_TO_GET"
    val info = cli.ask(
        listOf("info", "--format", "{{.ServerVersion}}|{{.KernelVersion}}|{{.SecurityOptions}}|{{.ServerErrors}}"),
        within = 10.seconds,
    )
    val said = info.answer().split('|')
    return when {
        !info.succeeded || said.size < FIELDS || said[0].isBlank() ->
            "No Docker engine answers: ${reason(info.output)} $HOW_TO_REACH"

        said[1] != System.getProperty("os.version") ->
            "The Docker engine runs on another kernel (${said[1]}), in a virtual machine or elsewhere: its processes cannot be " +
                "measured from here. Run Boot Dyno on the same machine."

        "rootless" in said[2] ->
            "The Docker engine is rootless: its --network host is not this machine's network, so no load would reach a " +
                "subject. Use an engine that runs as root."

        else -> null
    }
}

private const val FIELDS = 4

/** The line that says it, as a sentence, without the empty fields that may stand beside. */
private fun reason(output: String): String = plainReason(output).let { if (it.endsWith('?')) it else "$it." }

private fun plainReason(output: String): String = output.lines().find { "annot connect" in it || "rror" in it }.orEmpty()
    .ifEmpty { output.lines().first() }.trim('|', ' ', '.', '[', ']').ifEmpty { "it said nothing" }
