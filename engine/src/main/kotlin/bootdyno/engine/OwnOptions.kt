package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.system.findOnPath

/** Options of our own engine. */
internal data class OwnOptions(
    val hosts: List<String>,
    /** The `java` command on [hosts]. */
    val java: String,
    /** Starts a shell on a host; `{host}` is its name. */
    val command: List<String>,
    /** A [Transport.word]; null: the default. */
    val transport: String?,
) {
    fun hosts(): List<LoadHost> = hosts.map { host ->
        LoadHost(host, command.map { it.replace(HOST, host) } + "sh", java, transport)
    }

    companion object {
        private const val HOST = "{host}"

        /** Without a terminal and questions; a lost connection is noticed after 15 s. */
        private val SSH = listOf("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10") +
            listOf("-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", HOST)

        /** No option of `ssh`, and nothing that a shell would interpret. */
        private val HOST_NAME = Regex("""[A-Za-z0-9_][A-Za-z0-9_.:@%/-]*""")
        private val JAVA = Regex("""[A-Za-z0-9_./~+-]+""")

        /** @throws EngineFailed with all unknown and invalid options */
        fun of(spec: EngineSpec): OwnOptions {
            val reader = OptionReader(EngineKind.OWN, spec)
            val hosts = reader.option("hosts", "a list of different names of hosts, as for ssh", emptyList()) { text ->
                text.split(',').map { it.trim() }.takeIf { all -> all.all(HOST_NAME::matches) && all.distinct().size == all.size }
            }
            val transports = Transport.entries.map { it.word }
            val options = OwnOptions(
                hosts = hosts,
                java = reader.text("java", "a path without spaces", JAVA) ?: "java",
                command = reader.option("command", "a command with $HOST, such as `kubectl exec -i $HOST --`", SSH) { text ->
                    text.split(' ').filter { it.isNotEmpty() }.takeIf { words -> words.any { HOST in it } }
                },
                transport = reader.option<String?>("transport", transports.joinToString(" or "), null) { text ->
                    text.takeIf { it in transports }
                },
            )
            if (hosts.isEmpty()) reader.refuse("without `hosts`", "target", "java", "command")
            reader.check()
            val program = options.command.first()
            if (hosts.isNotEmpty() && findOnPath(program) == null) throw EngineFailed(missing(program))
            return options
        }

        private fun missing(program: String) =
            "There is no command `$program` here, which reaches the hosts of the load engine. " +
                if (program == "ssh") "Install it: apt install openssh-client" else "Install it, or name another `command`."
    }
}

/**
 * Our own engine in a process of this machine or, with the option `hosts`, on each of these. Not [optimised]: see [ForkedEngine.start].
 * @throws EngineFailed with the problem and what to do
 */
fun startOwnEngine(context: EngineContext, spec: EngineSpec, optimised: Boolean = true): LoadEngine {
    val options = OwnOptions.of(spec)
    if (options.hosts.isNotEmpty()) return SeveralEngines.start(options.hosts(), context.log)
    return ForkedEngine.start(
        context.cpus,
        context.log,
        optimised = optimised,
        transport = options.transport,
        inNetwork = context.inNetwork,
    )
}
