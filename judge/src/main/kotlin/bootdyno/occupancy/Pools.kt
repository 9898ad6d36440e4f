package bootdyno.occupancy

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.PoolBeans
import bootdyno.catalogue.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.catalogue.SizeSetting
import bootdyno.model.BeanReading
import bootdyno.model.Diagnosis
import kotlin.math.abs
import kotlin.math.roundToInt

internal val ONE_OWNER = Size(1, "a lock has one owner")
internal const val CONSTANT_SIZE = "constant in the thread dumps"

/** A pool of database connections whose MBeans were read. */
internal class BeanPool(
    val entry: KnownResource,
    val name: String,
    val size: Size?,
    /** In each dump, from the reading closest in time. */
    val active: List<Int>,
    val waiting: List<Int>,
)

internal fun beanPools(diagnosis: Diagnosis): List<BeanPool> = diagnosis.beans.groupBy { it.bean }.flatMap { (bean, readings) ->
    CATALOGUE.filter { it.kind == DATABASE_CONNECTIONS }.mapNotNull { entry ->
        val beans = entry.beans ?: return@mapNotNull null
        val name = beans.poolOf(bean)?.takeIf { readings.any { beans.inUse in it.values } } ?: return@mapNotNull null
        BeanPool(
            entry,
            name,
            sizeIn(diagnosis, beans, name.ifEmpty { bean }),
            near(diagnosis, readings, beans.inUse),
            beans.waiting?.let { near(diagnosis, readings, it) }.orEmpty(),
        )
    }
}

/** The size in the last reading of a bean of [beans]; [pool]: its name, or that of its bean if it has none. */
internal fun sizeIn(diagnosis: Diagnosis, beans: PoolBeans, pool: String): Size? {
    val bean = if (PoolBeans.POOL in beans.sizeBean) beans.sizeBean.replace(PoolBeans.POOL, pool) else pool
    return diagnosis.beans.lastOrNull { it.bean == bean && beans.size in it.values }
        ?.let { Size(it.values.getValue(beans.size).roundToInt(), "MBean") }
}

private fun near(diagnosis: Diagnosis, readings: List<BeanReading>, attribute: String): List<Int> {
    val read = readings.filter { attribute in it.values }.ifEmpty { return emptyList() }
    return diagnosis.dumps.map { dump -> read.minBy { abs(it.at - dump.at) }.values.getValue(attribute).roundToInt() }
}

/**
 * The size of a pool for which requests wait: its setting, or its number of objects, since such a pool has grown to its size. Null if unknown,
 * or if the application has several pools of this kind.
 */
internal fun poolSize(diagnosis: Diagnosis, entry: KnownResource): Size? {
    val objects = entry.objects
    if ((diagnosis.pooledObjects[objects?.pool] ?: 0) > 1) return null
    val configured = entry.setting?.let { configured(diagnosis, it) }
    val units = diagnosis.pooledObjects[objects?.unit]?.takeIf { it > 0 } ?: return configured
    return configured ?: Size(units.toInt(), "number of ${objects?.unit?.substringAfterLast('.')} objects")
}

/** The size that the application or its JVM was given; null if its setting is not set. */
internal fun configured(diagnosis: Diagnosis, setting: SizeSetting): Size? =
    diagnosis.setting(setting.key)?.let { Size(it, setting.key) }

/** Whether a setting without a value has its default: Boot Dyno sets this one in order to read the effective settings. */
internal val Diagnosis.knowsSettings: Boolean get() = settings["spring.application.admin.enabled"] == "true"

/** A setting by its name in any of Spring Boot's spellings; null without it, or if it is no number. */
internal fun Diagnosis.setting(name: String): Int? =
    settings.entries.find { relaxed(it.key) == relaxed(name) }?.value?.trim()?.toIntOrNull()

private fun relaxed(name: String) = name.lowercase().replace("-", "").replace("_", "")
