package bootdyno.cli

import bootdyno.measure.InputProblem
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.system.Inherited
import bootdyno.system.startChild
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.name

/** The script of a checkout that builds its parts; null where Boot Dyno is installed, with all of them built. */
private val SCRIPT: String? = System.getProperty("dyno.parts")

/**
 * Builds the built-in subjects of [plan] that changed or are missing, in a checkout; the script says so. Spring AOT processing takes long, so only
 * subjects with a variant that needs its classes get it. @throws InputProblem if the build fails
 */
internal fun buildParts(plan: Plan) {
    val script = SCRIPT ?: return
    val parts = partsOf(plan, Path(script).resolveSibling("subjects")).ifEmpty { return }
    val build = startChild(listOf(script) + parts, inherits = Inherited.BUILD)
    build.inputStream.transferTo(System.err)
    if (build.waitFor() != 0) throw InputProblem("${parts.joinToString()} could not be built. Nothing was started.")
}

/** The parts of the checkout that [plan] starts: `subjects/servlet`, or `subjects/servlet+aot`. [folder]: of the subjects. */
internal fun partsOf(plan: Plan, folder: Path): List<String> {
    val started = plan.cells.map { it.variant to it.subject } + plan.experiment.services.map { it.variant to it.subject }
    return started.mapNotNull { (variant, subject) ->
        val jar = (subject.origin as? Origin.Jar)?.path?.let { Path(it) } ?: return@mapNotNull null
        val project = jar.parent?.parent?.takeIf { it.parent == folder } ?: return@mapNotNull null
        "subjects/${project.name}" to variant.runtime.springAot
    }.groupBy({ it.first }, { it.second }).map { (part, aot) -> if (aot.any { it }) "$part+aot" else part }
}
