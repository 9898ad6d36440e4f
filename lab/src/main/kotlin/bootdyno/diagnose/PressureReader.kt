package bootdyno.diagnose

import bootdyno.system.limits.Group
import bootdyno.system.readOrNull
import java.nio.file.Path
import kotlin.io.path.exists

private val RESOURCES = listOf("cpu", "io", "memory")
private const val MICROS = 1e6

/** Pressure stall information since this was made: of the cgroup [group] if it has its own (version 2), otherwise of the whole machine. */
internal class PressureReader(group: Group?, proc: Path) {
    private val groupFolder = group?.folders.orEmpty().find { it.resolve("cpu.pressure").exists() }
    private val files = RESOURCES.associateWith { resource ->
        groupFolder?.resolve("$resource.pressure") ?: proc.resolve("pressure/$resource")
    }
    private val before = totals()

    /** Whether other processes are part of it. */
    val isOfMachine: Boolean get() = groupFolder == null

    /** Shares of the last [seconds] in which at least one task waited, by resource; empty if the kernel does not count them. */
    fun read(seconds: Double): Map<String, Double> {
        val after = totals()
        return before.mapNotNull { (resource, then) ->
            after[resource]?.let { resource to ((it - then) / MICROS / seconds).coerceIn(0.0, 1.0) }
        }.toMap()
    }

    /** In µs: `some avg10=0.00 avg60=0.00 avg300=0.00 total=12345` (Documentation/accounting/psi.rst of Linux). */
    private fun totals(): Map<String, Long> = files.mapNotNull { (resource, file) ->
        val some = readOrNull(file)?.lineSequence()?.find { it.startsWith("some ") }
        some?.substringAfter("total=", "")?.trim()?.toLongOrNull()?.let { resource to it }
    }.toMap()
}
