package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.allToSubject
import org.w3c.dom.Element
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.absolute
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * A user's plan. Its threads, loops, timers, durations, assertions and listeners are kept; only the target of its requests changes: by its
 * own properties for host and port, or in a copy beside it.
 *
 * Counted samples: all after the settling time if the plan has a duration, and all if it ends after its loops. A plan without an end is
 * stopped after settling time and window. A plan that does not end within settling time, window and timeout is stopped too; its requests in
 * flight are counted as such.
 */
internal class UserPlan private constructor(private val jmx: Jmx, private val included: List<Jmx>) {
    private val values = PlanValues(included + jmx)
    private val folder: Path = jmx.file.absolute().parent
    private val allGroups = jmx.enabled.filter { it.tagName.endsWith(GROUP) }
    private val groups = allGroups.filter { it.tagName !in OUTSIDE }
    private val groupNames = namesOf(groups)

    /** Names of the thread groups before and after the load; without a load they are it. */
    private val outside = namesOf(allGroups.filter { it.tagName in OUTSIDE && groups.isNotEmpty() })

    /**
     * The plan with its requests sent to [host] and the order's port.
     * @throws EngineFailed if this is not possible
     */
    fun prepare(
        order: LoadOrder,
        host: String,
        temporary: Path,
        given: Map<String, String>,
        note: (String) -> Unit,
    ): PreparedPlan {
        val address = PlanAddress(jmx, values, included, host, order.port, order.https)
        val ours = address.properties()
        val properties = ours + given
        val asIs = address.takesProperties()
        val addresses = address.addresses()
        val file = if (asIs) jmx.file else copy(address, temporary)
        val how = if (asIs) {
            "runs unchanged, with $ours"
        } else {
            "names its address itself (${addresses.joinToString()}): a copy sends to $host:${order.port} instead"
        }
        note("${jmx.file} $how")
        return PreparedPlan(
            file = file,
            workingFolder = folder,
            properties = properties,
            users = null,
            length = length(order, properties, note),
            transactions = transactions(),
            complaints = allToSubject("plan", addresses) + alsoCounted(),
            atEnd = { if (file != jmx.file && file.parent == folder) Files.deleteIfExists(file) },
        )
    }

    private fun alsoCounted(): Map<String, Long> = (outside intersect groupNames).associate {
        "setUp or tearDown thread group whose samples count: another group is called $it, too" to 1L
    }

    /** Beside the plan, so that its relative paths work; otherwise in a folder with links to its files. */
    private fun copy(address: PlanAddress, temporary: Path): Path {
        address.rewrite()
        val name = ".${jmx.file.nameWithoutExtension}.bootdyno-${ProcessHandle.current().pid()}-${System.nanoTime()}.jmx"
        val copy = try {
            folder.resolve(name).also(jmx::write)
        } catch (_: IOException) {
            linkNeighbours(temporary)
            temporary.resolve(jmx.file.name).also { Files.deleteIfExists(it) }.also(jmx::write)
        }
        copy.toFile().deleteOnExit()
        return copy
    }

    private fun linkNeighbours(into: Path) {
        Files.list(folder).use { files ->
            files.filter { !Files.exists(into.resolve(it.name)) }.forEach { Files.createSymbolicLink(into.resolve(it.name), it) }
        }
    }

    private fun length(order: LoadOrder, properties: Map<String, String>, note: (String) -> Unit): RunLength {
        val forEver = groups.filter { it.hasSchedule || loops(it, properties) == FOR_EVER || hasEndlessLoop(it, properties) }
        val timed = groups.filter { it.hasSchedule || known(it, "ThreadGroup.scheduler", properties) == "true" }
        val late = order.settle + order.window + order.timeout + GRACE
        val (what, length) = when {
            forEver.any { it !in timed } -> {
                val end = order.settle + order.window
                "has no end: it is stopped after $end" to RunLength(order.settle, order.window, lasts = false, stopAfter = end)
            }

            groups.isNotEmpty() && forEver.size == groups.size ->
                "runs for a set time: its samples count from ${order.settle} on to the last" to
                    RunLength(order.settle, Duration.INFINITE, lasts = false, stopAfter = late)

            else ->
                "is over after its loops: all of its samples count" to
                    RunLength(Duration.ZERO, Duration.INFINITE, lasts = false, stopAfter = late)
        }
        note("${jmx.file} $what")
        return length
    }

    /** All kinds of groups but the plain one have their own schedule. */
    private val Element.hasSchedule: Boolean get() = tagName != GROUP

    private fun loops(group: Element, properties: Map<String, String>): String? {
        val controller = group.property("ThreadGroup.main_controller") ?: return null
        val endless = known(controller, "LoopController.continue_forever", properties) == "true"
        return if (endless) FOR_EVER else known(controller, "LoopController.loops", properties)
    }

    /** Whether a loop inside [group] has no end. A *Runtime Controller* may end it. */
    private fun hasEndlessLoop(group: Element, properties: Map<String, String>): Boolean {
        val inside = jmx.enabled.dropWhile { it !== group }.drop(1).takeWhile { one -> GROUPS.none { one.tagName.endsWith(it) } }
        return inside.none { it.tagName == "RunTime" } &&
            inside.any { it.tagName == "LoopController" && known(it, "LoopController.loops", properties) == FOR_EVER }
    }

    private fun known(element: Element, name: String, properties: Map<String, String>): String? =
        element.text(name)?.let(values::of)?.run { property?.let(properties::get) ?: known }

    private fun transactions(): TransactionRows {
        val enabled = (included + jmx).flatMap { it.enabled }
        val controllers = enabled.filter { it.tagName == "TransactionController" }
        val parents = controllers.filter { it.text("TransactionController.parent") == "true" }
        val samplers = enabled.filter { it.tagName.endsWith("Sampler") || it.tagName.startsWith("HTTPSampler") }
        val (http, scripts) = samplers.partition(::isHttp)
        val requests = namesOf(http)
        val helpers = if (http.isEmpty()) emptySet() else namesOf(scripts) - requests
        val allAreParents = parents.isNotEmpty() && parents.size == controllers.size
        val others = (outside - groupNames).flatMap { listOf(it, "\${host}-$it") }.toSet()
        return TransactionRows(
            Labels(namesOf(parents)),
            allAreParents,
            Labels(helpers),
            Labels(requests),
            Labels(others),
            Labels(groupNames),
        )
    }

    private fun namesOf(elements: List<Element>) = elements.map { it.getAttribute("testname") }.toSet()

    companion object {
        private const val FOR_EVER = "-1"

        private const val GROUP = "ThreadGroup"
        private val OUTSIDE = setOf("Setup$GROUP", "Post$GROUP")

        /** Ends of the names of elements that contain controllers and stand side by side. */
        private val GROUPS = listOf(GROUP, "TestFragmentController")
        private const val MOST_INCLUDED = 100
        private val GRACE = 10.seconds

        /** @throws EngineFailed if the file is not a JMeter plan */
        fun read(file: Path): UserPlan {
            val plan = Jmx.read(file)
            return UserPlan(plan, includedBy(plan))
        }

        /** Files of *Include Controllers*, recursively. */
        private fun includedBy(plan: Jmx): List<Jmx> {
            val files = LinkedHashMap<Path, Jmx>()
            val waiting = ArrayDeque(listOf(plan))
            while (waiting.isNotEmpty()) {
                waiting.removeFirst().enabled.filter { it.tagName == "IncludeController" }
                    .mapNotNull { it.text("IncludeController.includepath") }.filter { it.isNotEmpty() && "\${" !in it }
                    .map { plan.file.absolute().resolveSibling(it).normalize() }
                    .filter { it !in files && Files.isRegularFile(it) }
                    .forEach { path -> Jmx.read(path).also { files[path] = it }.also(waiting::add) }
                if (files.size > MOST_INCLUDED) throw EngineFailed("${plan.file} includes more than $MOST_INCLUDED files.")
            }
            return files.values.toList()
        }
    }
}
