package bootdyno.analyse

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.Database
import bootdyno.model.Environment
import bootdyno.model.Limits
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Origin
import bootdyno.model.RunFacts
import bootdyno.model.RunPlace
import bootdyno.model.cpusText
import bootdyno.model.listed
import bootdyno.model.size
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient

/** A condition that differs between two runs; null: unknown, or none. [isExpected]: it differs between any two runs. */
@Serializable
data class ChangedCondition(val what: String, val base: String?, val head: String?, @Transient val isExpected: Boolean = false)

/** What two runs have in common. */
data class CommonCells(
    /** Cells of both runs with the same requests and load, as the newer run has them. */
    val comparable: List<Cell>,
    /** Why other cells of both runs are not comparable, as sentences. */
    val refused: List<String>,
    /** Conditions of the machine and of the comparable cells that differ. */
    val changed: List<ChangedCondition>,
)

/** Why no cell of these runs can be compared, as a sentence: they are of different machines. Null if some can. */
fun whyNotComparable(base: RunFacts, head: RunFacts): String? =
    base.machines.firstNotNullOfOrNull { older -> head.machines.firstNotNullOfOrNull { whyNotComparable(older, it) } }

private fun whyNotComparable(older: Environment, newer: Environment): String? {
    val changed = listOfNotNull(
        changed("CPU", older.cpuModel, newer.cpuModel),
        changed("number of CPUs", older.cpus, newer.cpus),
        changed("virtual machine", older.virtualMachine, newer.virtualMachine),
    )
    if (changed.isEmpty()) return null
    return "The runs are of different machines: " +
        changed.joinToString { "${it.what} ${it.base ?: "none"} and ${it.head ?: "none"}" } +
        "."
}

/** The cells of both runs, by their ids. */
fun commonCells(base: RunFacts, head: RunFacts): CommonCells {
    val older = base.plan.cells.associateBy { it.id }
    val both = head.plan.cells.mapNotNull { cell -> older[cell.id]?.let { it to cell } }
    val (alike, others) = both.partition { (one, other) -> otherWork(one, other).isEmpty() }
    return CommonCells(
        comparable = alike.map { (_, newer) -> newer },
        refused = others.map { (one, other) -> "${other.id} differs in ${listed(otherWork(one, other))}." },
        changed = ofRuns(base, head) + alike.flatMap { (one, other) -> ofCells(one, other, base, head) }.distinct(),
    )
}

/** What makes the figures of these cells different quantities. */
private fun otherWork(base: Cell, head: Cell): List<String> = listOfNotNull(
    "its requests".takeIf { base.workload.requests() != head.workload.requests() || base.workload.data != head.workload.data },
    "its load".takeIf { base.profile.load != head.profile.load || base.profile.timeout != head.profile.timeout },
    "its window".takeIf { base.profile.window != head.profile.window && head.profile.protocol != MeasuringProtocol.STEADY },
    "its load engine".takeIf { base.profile.engine != head.profile.engine },
    "its protocol".takeIf { base.profile.protocol != head.profile.protocol },
)

private fun ofRuns(base: RunFacts, head: RunFacts): List<ChangedCondition> {
    val older = base.environment
    val newer = head.environment
    val was = base.plan.experiment
    val now = head.plan.experiment
    return listOfNotNull(
        changed("start", older.startedAt, newer.startedAt)?.copy(isExpected = true),
        changed("Boot Dyno", older.bootDyno, newer.bootDyno),
        changed("system", older.os, newer.os),
        changed("kernel", older.kernel, newer.kernel),
        changed("JDK", older.jdk, newer.jdk),
        changed("cgroup", older.cgroup, newer.cgroup),
        changed("CPU governor", older.governor, newer.governor),
        changed("rounds", roundsDone(base), roundsDone(head)),
        changed("preset", was.repetition.preset.word, now.repetition.preset.word),
        changed("place", words(was.place), words(now.place)),
        changed("database", was.database?.let(::words), now.database?.let(::words)),
        changed("compose file", was.compose?.file, now.compose?.file),
    )
}

private fun ofCells(base: Cell, head: Cell, was: RunFacts, now: RunFacts): List<ChangedCondition> {
    val name = head.variant.name
    return listOfNotNull(
        changed("subject of $name", named(base.subject.origin), named(head.subject.origin)),
        changed("SHA-256 of $name", sha256(was, base.id), sha256(now, head.id)),
        changed("limits of $name", words(base.limits), words(head.limits)),
        changed("settings of $name", pairs(base.variant.settings), pairs(head.variant.settings)),
        changed("environment of $name", pairs(base.variant.environment), pairs(head.variant.environment)),
        changed("JVM flags of $name", base.variant.jvm.joinToString(" "), head.variant.jvm.joinToString(" ")),
        changed("JDK of $name", base.variant.java, head.variant.java),
        changed("runtime of $name", base.variant.runtime.word, head.variant.runtime.word),
        changed("window of ${head.id}", base.profile.window, head.profile.window),
    )
}

private fun named(origin: Origin): String = when (origin) {
    is Origin.Jar -> origin.path
    is Origin.Command -> origin.words.joinToString(" ")
    is Origin.Image -> origin.name
    is Origin.Url -> origin.base
}

private fun sha256(run: RunFacts, cell: CellId): String? = run.trials.firstNotNullOfOrNull { trial ->
    trial.record.subject?.sha256?.takeIf { trial.record.trial.cell == cell }
}?.take(SHOWN_DIGITS)

private fun pairs(values: Map<String, String>) = values.entries.joinToString(" ") { "${it.key}=${it.value}" }

private fun words(place: RunPlace): String = when (place) {
    RunPlace.Process -> "processes"
    is RunPlace.Docker -> "containers on ${place.baseImage}"
}

private fun words(database: Database): String = when (database) {
    is Database.Embedded -> "of our own"
    is Database.Container -> database.image
    is Database.Server -> database.url
}

private fun words(limits: Limits): String =
    listOfNotNull(limits.cpus?.let { "${cpusText(it)} by ${limits.cpuBy.word}" }, limits.memory?.let(::size)).joinToString()

private fun <T> changed(what: String, base: T?, head: T?): ChangedCondition? = if (base == head) {
    null
} else {
    ChangedCondition(what, base?.let { "$it" }?.ifEmpty { null }, head?.let { "$it" }?.ifEmpty { null })
}

private const val SHOWN_DIGITS = 16
