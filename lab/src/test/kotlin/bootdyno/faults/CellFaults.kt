package bootdyno.faults

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.io.path.readText

/** A fault of one trial: the subject of [role] misbehaves by itself, or [inject] is done to it once it is under load. */
internal class CellFault(
    val role: String,
    val name: String,
    val expected: Expected,
    val inject: ((World, DynoProcess) -> Unit)? = null,
)

/** How a trial ends: measured, or failed for a reason that [says]. */
internal sealed interface Expected {
    data object Measured : Expected

    /** It may be one or the other, as long as it ends. */
    data object Ended : Expected

    data class Failed(val stage: String, val says: String) : Expected
}

/** [faults] as cells of one run, with a good one between them that must be measured all the same. */
internal fun cellsOfOneRun(kind: String, faults: List<CellFault>): Faults {
    val whole = "the run of these ${faults.size} trials"
    return Faults(kind, faults.map { it.name } + whole) { world, outcomes -> CellRun(world, faults, outcomes).run(whole) }
}

private class CellRun(private val world: World, private val faults: List<CellFault>, private val outcomes: Outcomes) {
    private val pending = faults.toMutableList()
    private val injected = mutableSetOf<CellFault>()
    private var lastEnd = System.nanoTime()
    private val began = System.nanoTime()

    fun run(whole: String) {
        val roles = faults.map { it.role }
        val dyno = world.run(SmallExperiment(roles.take(1) + GOOD + roles.drop(1)).writtenIn(world))
        while (dyno.isAlive && pending.isNotEmpty()) {
            look(dyno)
            if ((System.nanoTime() - lastEnd) / 1e9 > LONGEST_TRIAL_SECONDS) giveUp(dyno)
            Thread.sleep(50)
        }
        look(dyno)
        pending.toList().forEach { fault -> end(fault) { throw AssertionError("it was never measured\n${dyno.output()}") } }
        outcomes.of(whole, began) { judgeWhole(dyno) }
    }

    private fun look(dyno: DynoProcess) {
        pending.filter { it.inject != null && it !in injected && happened(world, it.role, "asked $MANY") }.forEach {
            injected += it
            it.inject?.invoke(world, dyno)
        }
        val finished = world.finished()
        pending.toList().forEach { fault ->
            val folder = folderOf(fault.role, finished) ?: return@forEach
            end(fault) { judge(fault, folder) }
        }
    }

    private fun end(fault: CellFault, judge: () -> String) {
        outcomes.of(fault.name, lastEnd, judge)
        pending -= fault
        lastEnd = System.nanoTime()
    }

    /** The others shall have their turn. */
    private fun giveUp(dyno: DynoProcess) {
        val stuck = pending.find { happened(world, it.role, "started") && subjectsOf(it).isNotEmpty() }
        if (stuck == null) return dyno.kill()
        end(stuck) { throw AssertionError("its trial does not end within $LONGEST_TRIAL_SECONDS s\n${dyno.output()}") }
        subjectsOf(stuck).forEach { ProcessHandle.of(it.pid).ifPresent(ProcessHandle::destroyForcibly) }
    }

    /** The subject of a cell and what it started have its diary among their words. */
    private fun subjectsOf(fault: CellFault) = runningProcesses().filter { "${world.diary(fault.role)} " in it.words + " " }

    private fun folderOf(role: String, finished: List<Path> = world.finished()) = finished.find {
        it.name.substringAfter('-').startsWith("$role--")
    }

    private fun judge(fault: CellFault, folder: Path): String {
        val ending = Json.parseToJsonElement(folder.resolve("trial.json").readText()).jsonObject.getValue("ending").jsonObject
        val happened = judge(fault.expected, ending)
        val leaves = System.nanoTime() + LONGEST_LEAVE_NANOS
        while (subjectsOf(fault).isNotEmpty()) {
            if (System.nanoTime() >
                leaves
            ) {
                throw AssertionError("left behind: ${subjectsOf(fault).map { "${it.pid} ${it.words}" }}")
            }
            Thread.sleep(20)
        }
        val size = java.nio.file.Files.walk(folder).use { all -> all.mapToLong { it.toFile().length() }.sum() }
        if (size > LARGEST_FOLDER) throw AssertionError("its trial folder has ${size shr 20} MB")
        return happened
    }

    private fun judge(expected: Expected, ending: JsonObject): String {
        val type = ending.text("type")
        val reason = "${ending.text("stage")}: ${ending.text("reason")}"
        return when (expected) {
            Expected.Ended -> if (type == "measured") type else "failed at $reason"

            Expected.Measured -> if (type == "measured") type else throw AssertionError("not measured, but failed at $reason")

            is Expected.Failed -> {
                val fits = type == "failed" && ending.text("stage") == expected.stage &&
                    Regex(expected.says, RegexOption.IGNORE_CASE).containsMatchIn(ending.text("reason"))
                if (fits) "failed at $reason" else throw AssertionError("not failed at $expected, but $type at $reason")
            }
        }
    }

    private fun judgeWhole(dyno: DynoProcess): String {
        dyno.exits(1)
        Leftovers(world).assertNone()
        val good = folderOf(GOOD) ?: throw AssertionError("the good cell was not measured")
        judge(
            Expected.Measured,
            Json.parseToJsonElement(good.resolve("trial.json").readText()).jsonObject.getValue("ending").jsonObject,
        )
        val finished = FinishedTrials.of(world)
        world.resume(exitCode = 1)
        finished.assertIntact()
        Leftovers(world).assertNone()
        return "exit code 1; the good cell is measured, resume has nothing left to do"
    }

    private fun JsonObject.text(name: String) = this[name]?.jsonPrimitive?.content.orEmpty()

    private companion object {
        const val GOOD = "good"

        /** An answer may take 30 s to be complete, and everything else on a busy machine goes before a fault. */
        const val LONGEST_TRIAL_SECONDS = 120
        const val LONGEST_LEAVE_NANOS = 5_000_000_000L
        const val LARGEST_FOLDER = 20L shl 20
    }
}
