package bootdyno.cli

import bootdyno.explain.DumpsExplanation
import bootdyno.flags.JarQuestion
import bootdyno.flags.experimentOfJar
import bootdyno.measure.orRefused
import bootdyno.model.Change
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import kotlin.math.roundToInt

/** The jar that its user replaces: no dump says where it is. */
private const val JAR = "application.jar"

/**
 * An experiment with as many requests at a time as the dumps show. It compares the size of the limit as it was with the proposed one; it
 * has the application alone if no setting has that size.
 */
internal fun reproducing(explained: DumpsExplanation): Plan {
    val question = JarQuestion(
        subject = Subject("application", Origin.Jar(JAR)),
        paths = listOf("/"),
        vary = listOfNotNull(sizes(explained)),
        connections = explained.requests.roundToInt().coerceAtLeast(1),
    )
    val plan = experimentOfJar(question, Surroundings(), Overrides()).orRefused().value
    val limit = explained.bottleneck?.limit?.text ?: "no limit named"
    return plan.of(plan.experiment.copy(title = "As in the dumps: $limit", question = "Is it the limit here as well?"))
}

/** `spring.datasource.hikari.maximum-pool-size=10,20`; null if no setting has the size. */
private fun sizes(explained: DumpsExplanation): String? {
    val size = explained.limited?.size?.roundToInt() ?: return null
    return when (val proposed = explained.proposed) {
        is Change.Setting -> "${proposed.key}=$size,${proposed.value}"

        is Change.JvmFlag -> proposed.flag.substringBeforeLast('=').let {
            "jvm:$it=$size,${proposed.flag.substringAfterLast('=')}"
        }

        else -> null
    }
}

/** What its user replaces before a run. */
internal fun toReplace(explained: DumpsExplanation): List<String> = listOf(
    "Replace $JAR by your jar, and / by a path that is served by ${explained.handler ?: "the method that the dumps show"}.",
)
