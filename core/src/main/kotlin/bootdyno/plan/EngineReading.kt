package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.NamedProfile
import bootdyno.model.OWN_ENGINE

private const val SCRIPT = "script"
private val OPTION = Either<Any, String>(OneOrMore(TEXT), TEXTS_BY_NAME, TEXT::write)
private val OF_ITS_OWN = Either<Any, String>(TEXT, MapOf(OPTION), TEXT::write)

internal val ENGINE = Unread(
    Either<Any, EngineSpec>(TEXT, MapOf(OF_ITS_OWN)) { engine ->
        val own = listOfNotNull(engine.script).associateBy { SCRIPT } + engine.options
        if (own.isEmpty()) TEXT.write(engine.name) else MapOf(TEXTS_BY_NAME).write(mapOf(engine.name to own))
    },
    words = "a name, or name → script or options",
)

/**
 * Reads `wrk`, `{ jmeter: plan.jmx }`, `{ wrk: { threads: 12 } }`, or a list of such: each cell is measured by each.
 */
internal class EngineReading(private val kinds: List<EngineKind>) {
    fun read(cursor: Cursor?): List<EngineSpec> {
        val read = when (cursor?.node) {
            null -> emptyList()
            is ListNode -> cursor.list().orEmpty().flatMap(::several)
            is TextNode, is EmptyNode, is MapNode -> several(cursor)
        }
        val twice = read.groupBy { it.name }.values.find { it.size > 1 }
        if (twice != null) cursor?.problem("names ${twice.first().name} twice", "an engine is one column of the results")
        return read.distinctBy { it.name }
    }

    private fun several(cursor: Cursor): List<EngineSpec> = when (cursor.node) {
        is MapNode -> cursor.entries().orEmpty().mapNotNull(::withItsOwn)

        is TextNode, is EmptyNode, is ListNode -> listOfNotNull(
            cursor.text()?.let {
                kind(it, cursor::problem)
            }?.spec(),
        )
    }

    private fun withItsOwn(entry: Entry): EngineSpec? {
        val kind = kind(entry.name, entry::problem) ?: return null
        return when (entry.value.node) {
            is EmptyNode -> kind.spec()
            is TextNode -> script(kind, entry.value)?.let(kind::spec)
            is MapNode, is ListNode -> optionsOf(kind, entry.value)
        }
    }

    private fun optionsOf(kind: EngineKind, cursor: Cursor): EngineSpec? {
        val entries = cursor.entries() ?: return null
        val script = entries.find { it.name == SCRIPT }?.let { script(kind, it.value) }
        val options = entries.filter { it.name != SCRIPT }.flatMap { flat(it.name, it) }
        val known = kind.options + SCRIPT
        options.filterNot { kind.knows(it.name) }.forEach {
            it.entry.problem("${kind.name} has no option `${it.name}`", suggestion(it.name, known, "options"))
        }
        return kind.spec(script, options.mapNotNull { option -> option.text()?.let { option.name to it } }.toMap())
    }

    private class Option(val name: String, val entry: Entry) {
        /** A list is written with commas. */
        fun text(): String? = if (entry.value.node is ListNode) entry.value.texts()?.joinToString(",") else entry.value.text()
    }

    /** `properties: { threads: 5 }` is `properties.threads: 5`. */
    private fun flat(name: String, entry: Entry): List<Option> = when (entry.value.node) {
        is MapNode -> entry.value.entries().orEmpty().flatMap { flat("$name.${it.name}", it) }
        is TextNode, is EmptyNode, is ListNode -> listOf(Option(name, entry))
    }

    private fun script(kind: EngineKind, cursor: Cursor): String? {
        val path = cursor.text() ?: return null
        return when {
            kind.scripts.isEmpty() -> cursor.problem("${kind.name} takes no script", "the workloads say what is asked for")

            kind.scripts.none {
                path.endsWith(it)
            } -> cursor.problem("`$path` is no script of ${kind.name}", "it ends in ${kind.scripts.joinToString(" or ")}")

            else -> cursor.problems.resolve(path)
        }
    }

    private fun kind(name: String, problem: (String, String?) -> Nothing?): EngineKind? {
        val names = kinds.map { it.name }
        return kinds.find { it.name == name } ?: problem("there is no load engine `$name`", suggestion(name, names, "engines"))
    }
}

/** A problem for each of [cells] whose engine cannot ask for what it is to ask for; a script asks for what it says. */
internal fun checkEngines(cells: List<GridCell>, kinds: List<EngineKind>, problem: (String, String?) -> Nothing?) {
    cells.map { it.profile }.distinctBy { it.engine.name to it.declared }.forEach { checkLoad(it, kinds, problem) }
    cells.filter { it.profile.engine.script == null }.distinctBy { it.profile.engine.name to it.workload.declared }
        .forEach { checkChain(it, kinds, problem) }
}

private fun checkLoad(profile: NamedProfile, kinds: List<EngineKind>, problem: (String, String?) -> Nothing?) {
    val load = profile.loadInWindow?.kind ?: return
    val kind = kinds.find { it.name == profile.engine.name } ?: return
    if (load in kind.loads) return
    val able = kinds.filter { load in it.loads }.joinToString(" or ") { it.name }
    problem(
        "${kind.name} has no ${load.word} load, which the profile ${profile.declared} is",
        "take $able for it, or ${kind.loads.joinToString(" or ") { it.word }} load, or leave it out by `only`",
    )
}

private fun checkChain(cell: GridCell, kinds: List<EngineKind>, problem: (String, String?) -> Nothing?) {
    val kind = kinds.find { it.name == cell.profile.engine.name } ?: return
    if (cell.workload.sendsTheSame || kind.chains) return
    val able = kinds.filter { it.chains }.joinToString(" or ") { it.name }
    problem(
        "${kind.name} asks for one request again and again, and the workload ${cell.workload.declared} is a chain",
        "take $able for it, or leave it out by `only`",
    )
}

internal val EngineSpec.own: Boolean get() = name == OWN_ENGINE
