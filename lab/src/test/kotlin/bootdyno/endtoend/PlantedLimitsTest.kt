package bootdyno.endtoend

import bootdyno.faults.Shell
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import kotlin.math.abs
import kotlin.time.Duration.Companion.minutes

/** The built-in experiment `limits`: applications that Boot Dyno knows nothing of, with a planted limit each. */
@Tag("limits")
@Isolated
internal class PlantedLimitsTest : InWorld("limits") {
    @Test
    fun `the planted limit of each application is named, and no other`() {
        val run = world.start(
            "run",
            "limits",
            "--out",
            "${world.runs}",
            "--json",
            shell = Shell(launcher = builtCheckout(world.root)),
        )
        run.awaitEnd(50.minutes)
        val cells = Json.parseToJsonElement(run.exits(0).answer()).jsonObject.getValue("cells").jsonArray.map { it.jsonObject }
        cells.map { it.text("id") } shouldContainExactlyInAnyOrder PlantedLimits.NAMES.keys
        cells.filterNot { cell -> PlantedLimits.NAMES.getValue(cell.text("id")).containsMatchIn(limit(cell)) }
            .map { "${it.text("id")}: ${limit(it).ifEmpty { it.text("missing") }}" }.shouldBeEmpty()
        cells.flatMap(::wrongMoves).shouldBeEmpty()
    }

    /** Changed limits of [cell] that were not put back, cleared though they bind, called limits though others bind, or of a wrong elasticity. */
    private fun wrongMoves(cell: JsonObject): List<String> {
        val binding = PlantedLimits.FOLLOWED[cell.text("id")]
        return cell.getValue("moved").jsonArray.map { it.jsonObject }.filterNot { moved ->
            val isBinding = moved.text("limit") == binding
            val upwards = (moved.getValue("upwards") as? JsonObject)?.text("value")?.toDouble()
            val isTested = moved.text("outcome") != "not tested"
            val isRight = when {
                isBinding -> upwards == null || abs(upwards - 1) <= TOLERATED
                else -> moved.text("outcome") != "limits"
            }
            isRight && !(isBinding && moved.text("outcome") == "cleared") && (!isTested || moved.text("putBack") == "true")
        }.map { "${cell.text("id")}: $it" }
    }

    /** Empty if none is named. */
    private fun limit(cell: JsonObject): String = (cell.getValue("bottleneck") as? JsonObject)?.text("limit").orEmpty()

    private fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content

    private companion object {
        const val TOLERATED = 0.15
    }
}
