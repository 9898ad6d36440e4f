package bootdyno.plan

import bootdyno.keys.SCRIPT
import bootdyno.keys.StepKeys
import bootdyno.keys.WorkloadKeys
import bootdyno.model.Arrivals
import bootdyno.model.CapturePlace
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.HttpVersion
import bootdyno.model.LoadKind
import bootdyno.model.LoadProfile
import bootdyno.model.OWN_ENGINE
import bootdyno.model.Subject
import bootdyno.model.Workload
import bootdyno.yaml.Cursor
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.Entry
import bootdyno.yaml.ListNode
import bootdyno.yaml.MapNode
import bootdyno.yaml.OneOrMore
import bootdyno.yaml.TEXT
import bootdyno.yaml.TextNode
import bootdyno.yaml.suggestion

/**
 * Reads `wrk`, `{ jmeter: plan.jmx }`, `{ wrk: { threads: 12 } }`, or a list of such: each cell is measured by each.
 */
internal class EngineReading(private val kinds: List<EngineKind>) {
    fun read(cursor: Cursor): List<EngineSpec> {
        val written = if (cursor.node is ListNode) cursor.list().orEmpty() else listOf(cursor)
        val read = written.flatMap { one ->
            when (one.node) {
                is MapNode -> one.entries().orEmpty().mapNotNull(::withItsOwn)
                is TextNode, is EmptyNode, is ListNode -> listOfNotNull(kind(one)?.spec())
            }
        }
        val twice = read.groupBy { it.name }.values.find { it.size > 1 }
        if (twice != null) cursor.problem("names ${twice.first().name} twice", "list each engine once")
        return read.distinctBy { it.name }
    }

    private fun withItsOwn(entry: Entry): EngineSpec? {
        val kind = kind(entry.key) ?: return null
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
            it.problem("${kind.name} has no option `${it.name}`", suggestion(it.name, known, "options"))
        }
        // A list is written with commas.
        return kind.spec(script, options.associate { it.name to OneOrMore(TEXT).read(it.value).orEmpty().joinToString(",") })
    }

    /** `properties: { threads: 5 }` is `properties.threads: 5`. */
    private fun flat(name: String, entry: Entry): List<Entry> {
        if (entry.value.node !is MapNode) return listOf(entry.called(name))
        return entry.value.entries().orEmpty().flatMap { flat("$name.${it.name}", it) }
    }

    private fun script(kind: EngineKind, cursor: Cursor): String? {
        val path = cursor.text() ?: return null
        val ends = kind.scripts.joinToString(" or ")
        return when {
            kind.scripts.isEmpty() -> cursor.problem("${kind.name} takes no script", "the workloads define the requests")
            kind.scripts.none(path::endsWith) -> cursor.problem("`$path` is no script of ${kind.name}", "it ends in $ends")
            else -> cursor.resolve(path)
        }
    }

    private fun kind(cursor: Cursor): EngineKind? = cursor.text()?.let { name ->
        val hint = suggestion(name, kinds.map { it.name }, "engines")
        kinds.find { it.name == name } ?: cursor.problem("there is no load engine `$name`", hint)
    }
}

/**
 * Adds a problem for each of [cells] whose engine does not support its load, its requests, or the protocol of its subject, one of
 * [subjects] by variant. Scripts are not checked.
 */
internal fun checkEngines(cells: List<GridCell>, kinds: List<EngineKind>, subjects: Map<String, Subject>, cursor: Cursor) =
    cells.forEach { cell ->
        val engine = cell.profile.engine
        val kind = kinds.find { it.name == engine.name } ?: return@forEach
        val profile = "profile ${cell.profile.declared}"
        fun able(able: (EngineKind) -> Boolean) = "use ${kinds.filter(able).joinToString(" or ") { it.name }}"
        fun refuse(message: String, remedy: String) {
            cursor.problem(message, "$remedy, or exclude the cell with `only`")
        }
        val load = cell.profile.loadInWindow
        if (load != null && load.kind !in kind.loads) {
            val others = kind.loads.joinToString(" or ") { it.word }
            val remedy = "${able { load.kind in it.loads }}, or $others load"
            refuse("${kind.name} does not support the ${load.kind.word} load of $profile", remedy)
        }
        if ((load as? LoadProfile.Open)?.arrivals == Arrivals.POISSON && !kind.poisson) {
            val remedy = "${able { it.poisson && LoadKind.OPEN in it.loads }}, or leave `arrivals` out"
            refuse("${kind.name} sends at equal intervals only, and $profile has `arrivals: poisson`", remedy)
        }
        val protocol = subjects[cell.variant]?.let(::protocolOfOurEngine)
        if (protocol != null && !kind.http2) {
            refuse("${kind.name} does not support `$protocol` of the subject of variant ${cell.variant}", able { it.http2 })
        }
        val hosts = engine.hosts.size
        if (load != null && (load.clients ?: hosts) < hosts) {
            val parts = if (load.isBurst) "users" else "connections"
            refuse("$hosts hosts cannot share the load of $profile, which has fewer $parts", "name fewer hosts, or more $parts")
        }
        if (engine.network != null && (engine.name != OWN_ENGINE || hosts > 0)) {
            val remedy = "remove it, or use the engine dyno without `hosts`"
            refuse("$profile has a `network`, which is for dyno on this machine only", remedy)
        }
        if (engine.script != null) return@forEach
        val workload = "the workload ${cell.workload.declared}"
        val userKeys = ofOurEngine(cell.workload)
        if (userKeys.isNotEmpty() && !kind.users) {
            refuse("${kind.name} does not support `${userKeys.first()}` of $workload", able { it.users })
        } else if (!cell.workload.sendsTheSame && !kind.chains) {
            refuse("${kind.name} repeats a single request, and $workload is a chain", able { it.chains })
        }
    }

/** The key of [subject] with a protocol that other load engines do not have here; null if there is none. */
private fun protocolOfOurEngine(subject: Subject): String? =
    "http: 2".takeIf { subject.http == HttpVersion.HTTP_2 } ?: "server-name".takeIf { subject.serverName != null }

/** Keys of [workload] that simulate users, which other load engines do only in scripts. */
private fun ofOurEngine(workload: Workload): List<String> = listOfNotNull(
    WorkloadKeys.mix.name.takeIf { workload.mix },
    WorkloadKeys.login.name.takeIf { workload.login.isNotEmpty() },
    WorkloadKeys.cookies.name.takeIf { workload.cookies },
    WorkloadKeys.think.name.takeIf { workload.think != null },
    StepKeys.capture.name.takeIf {
        workload.steps.any { step -> step.capture.values.any { CapturePlace.parse(it)?.isJson == false } }
    },
)
