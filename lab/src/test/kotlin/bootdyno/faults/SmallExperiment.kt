package bootdyno.faults

import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** The shortest honest experiment: one round, windows of a second, a cell for each of [roles]. */
internal class SmallExperiment(
    private val roles: List<String>,
    private val protocol: String = "cold",
    private val more: String = "",
    private val window: String = "1 s",
    private val budget: String = "2 s",
    private val holds: String = "holds: 20 ms, ",
) {
    fun writtenIn(world: World): Path = world.file("faults.yaml", text(world))

    fun text(world: World): String = """
        |title: Faults
        |question: What happens when something goes wrong?
        |limits: { cpus: 1, memory: 256 MiB }
        |preset: quick
        |protocol: $protocol
        |seed: $SEED
        |warm-up: { law-like: 1 s, budget: $budget }
        |variants:
        |${roles.joinToString("\n|") { "  $it: { subject: ${subject(world, it)} }" }}
        |workloads:
        |  work: { get: /work, ${holds}expect: { status: 200, body: ok } }
        |profiles:
        |  few: { closed: 4, window: $window, timeout: 2 s }
        |$more
    """.trimMargin()

    companion object {
        /** Two cells are measured in the order they are written in. */
        private const val SEED = 1

        fun subject(world: World, role: String): String {
            val command = StartCaches.subjectCommand("{port}", "--diary=${world.diary(role)}")
            return "{ command: [ ${command.joinToString(", ") { "\"$it\"" }} ], ready: /ready }"
        }
    }
}
