package bootdyno.explain

import bootdyno.model.percent
import bootdyno.occupancy.Activity

/** Activities below this share are not mentioned. */
private const val MENTIONED = 0.1

/** Number of activities of all requests that a sentence lists. */
internal const val MOST_ACTIVITIES = 3

/**
 * `97 % wait for the database (OrderRepository.find, line 42)`; null if nothing is worth mentioning. [names]: what the resources are called that
 * threads wait for, by their ids.
 */
internal fun words(activities: List<Activity>, names: Map<String, String> = emptyMap()): String? =
    activities.filter { it.share >= MENTIONED }.ifEmpty { null }?.joinToString { activity ->
        val doing = names[activity.resource]?.let { "wait for $it" } ?: activity.doing.words
        "${percent(activity.share)} $doing" + activity.at?.let { " ($it)" }.orEmpty()
    }
