package bootdyno.system

/**
 * A small process that waits for the end of this one and then becomes another command. It survives Ctrl-C and the end of the terminal. Closing
 * it ends it without the command.
 */
class Watchdog private constructor(private val process: Process) : AutoCloseable {
    override fun close() {
        process.destroyForcibly().waitFor()
    }

    companion object {
        /** Its stdin closes when this process ends, in any way. */
        private const val WAIT = "trap '' HUP INT QUIT TERM; while read -r _; do :; done; exec \"$@\""

        /** Throws [java.io.IOException]. */
        fun start(command: List<String>): Watchdog {
            // In its own session, it also survives a SIGKILL to our process group.
            val session = listOf("setsid").filter { findOnPath(it) != null }
            val builder = ProcessBuilder(session + listOf("sh", "-c", WAIT, "sh") + command)
            builder.environment().apply {
                clear()
                putAll(Inherited.DOCKER.of())
            }
            return Watchdog(
                builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start(),
            )
        }
    }
}
