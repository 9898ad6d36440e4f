package bootdyno.faults

import java.nio.file.Path

/**
 * The shortest honest experiment: one round, windows of a second, a cell for each of [roles]. Other tests take the CPUs meanwhile, and no
 * trial is repeated for that. [lastWarms]: of the steady protocol, the time that the last cell warms up in one drive; the others hardly do.
 */
internal class SmallExperiment(
    private val roles: List<String>,
    private val protocol: String = "cold",
    private val more: String = "",
    private val window: String = "1 s",
    private val budget: String = "2 s",
    private val holds: String = "holds: 20 ms, ",
    private val lastWarms: String? = null,
) {
    fun writtenIn(world: World): Path = world.file("faults.yaml", text(world))

    private fun work(name: String, more: String) = "  $name: { get: /work, ${more}expect: { status: 200, body: ok } }"

    private fun workloads(): String = if (lastWarms == null) {
        work("work", holds)
    } else {
        val others = roles.dropLast(1).joinToString { "\"$it\"" }
        listOf(work("work", "on: [ $others ], "), work("warmed", "on: [ \"${roles.last()}\" ], $holds")).joinToString("\n|")
    }

    fun text(world: World): String = """
        |title: Faults
        |question: What happens when something goes wrong?
        |limits: { cpus: 1, memory: 256 MiB }
        |preset: quick
        |protocol: $protocol
        |seed: $SEED
        |matters: 100 %
        |diagnose: off
        |warm-up: { law-like: ${lastWarms ?: "1 s"}, budget: $budget }
        |variants:
        |${roles.joinToString("\n|") { "  $it: { subject: ${subject(world, it)} }" }}
        |workloads:
        |${workloads()}
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
