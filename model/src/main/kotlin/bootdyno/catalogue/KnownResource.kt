package bootdyno.catalogue

import bootdyno.model.Change
import javax.management.ObjectName

/** A kind of limited resource that applications use, and all that Boot Dyno knows of it. What does not exist or is not known is null. */
class KnownResource(
    val kind: ResourceKind,
    /** Its units in the plural: `HikariCP connections`; the name of what has none: `row lock of H2`. */
    val noun: String,
    /** The setting of its size. */
    val setting: SizeSetting? = null,
    /** Without a [setting]: what determines its size or speed instead, as readers find it in a configuration or in code. */
    val setBy: String? = null,
    /** Methods in which a thread waits for a unit, and nothing else. */
    val waits: List<WaitingCall> = emptyList(),
    /** Names of its threads, without the number at their end. A group is the pool's name, if that is not all of it. */
    val threads: Regex? = null,
    /** Calls below the work of each of its units, by versions of its library. */
    val frames: List<String> = emptyList(),
    val beans: PoolBeans? = null,
    val objects: CountedObjects? = null,
    /** What also helps instead of a larger size: `enable virtual threads`. */
    val alternative: String? = null,
    /** What to do for so many units, where a larger size does not help. */
    val instead: ((Int) -> String)? = null,
    /** What to do where requests ask for a unit again and again instead of waiting. */
    val busyWaiting: BusyWaitingAdvice? = null,
    /** What requests wait for instead while its frames are seen: a unit is opened, so that the size has not been reached. */
    val opening: KnownResource? = null,
    /** One of its units: `thread`; null for what has none. */
    val unit: String? = kind.unit,
) {
    override fun toString(): String = noun
}

/** An application property, or a system property of the JVM, that determines the size of a resource. */
class SizeSetting(
    val key: String,
    /** Its name in names of variants: `tomcat-threads`. */
    val label: String,
    val isSystemProperty: Boolean = false,
    /** The size without it, for so many CPUs as the JVM counts; null if not known, as for an unknown number of CPUs. */
    val default: (Int?) -> Int?,
) {
    constructor(key: String, label: String, default: Int) : this(key, label, default = { default })

    /** The size without it, if it does not depend on CPUs. */
    val fixedDefault: Int? get() = default(null)?.takeUnless { isSystemProperty }

    /** The change that gives the resource [units]. */
    fun change(units: Int): Change = if (isSystemProperty) Change.JvmFlag("-D$key=$units") else Change.Setting(key, "$units")
}

/** A [method], or the begin of its name. [within]: package of the library that uses its library; null for any. */
class WaitingCall(val method: String, val within: String? = null)

/** [advice] where methods of the package [library] wait busily. */
class BusyWaitingAdvice(val library: String, val advice: String)

internal fun calls(vararg methods: String) = methods.map { WaitingCall(it) }

/**
 * The MBean of a pool with its attributes, and the metrics of Micrometer that say the same. Object names are patterns of JMX; `%s` stands for the
 * pool's name.
 */
class PoolBeans(
    val name: String,
    val size: String,
    val inUse: String,
    /** Requests that wait. */
    val waiting: String? = null,
    /** The bean that has [size], if it is another one. */
    val sizeBean: String = name,
    /** The tag of the metrics whose value is the pool's name. */
    val tag: String = "name",
    /** Metric by attribute. */
    val metrics: Map<String, String> = emptyMap(),
    /** How [size] is changed while the application runs, if nothing else depends on it; null if it takes effect at the start only. */
    val whileRunning: WhileRunning? = null,
) {
    /** What to read: attributes by the pattern of their bean. */
    val attributes: Map<String, List<String>> get() =
        listOfNotNull(size, inUse, waiting).groupBy { beanOf(it).replace(POOL, "*") }

    /** The object name of the bean that has [attribute]. */
    fun beanOf(attribute: String): String = if (attribute == size) sizeBean else name

    /** The name of the pool of [bean], empty without one; null if it is another bean. */
    fun poolOf(bean: String): String? = when {
        !ObjectName(name.replace(POOL, "*")).apply(ObjectName(bean)) -> null
        POOL in name -> bean.removePrefix(name.substringBefore(POOL)).removeSuffix(name.substringAfter(POOL))
        else -> ""
    }

    companion object {
        const val POOL = "%s"
    }
}

/**
 * The size is a writable attribute, which takes effect at once. [notAbove]: another attribute of its bean that must not be larger. [evict]: an
 * operation of the pool's bean after which a smaller size takes effect.
 */
class WhileRunning(val notAbove: String? = null, val evict: String? = null)

/** Classes whose live objects are counted: their number is that of units or of waiting requests. */
class CountedObjects(
    /** One object for each unit. */
    val unit: String,
    /** One object for each request that waits, or that waits or has a unit. */
    val waiter: String? = null,
    /** One object for each pool: with several, the number of units is that of all. */
    val pool: String? = null,
) {
    val types: List<String> get() = listOfNotNull(unit, waiter, pool)
}
