package bootdyno.occupancy

import bootdyno.model.BeanReading
import bootdyno.model.Diagnosis
import kotlin.math.abs
import kotlin.math.roundToInt

/** Number of [units] of a resource, and where it is known from. */
internal data class Size(val units: Int, val source: String)

internal val ONE_OWNER = Size(1, "a lock has one owner")
internal const val CONSTANT_SIZE = "constant in the thread dumps"

/** A pool of database connections whose MBeans were read. */
internal class BeanPool(
    val noun: String,
    val name: String,
    val size: Int?,
    /** In each dump, from the reading closest in time. */
    val active: List<Int>,
    val waiting: List<Int>,
)

/** The MBeans of a kind of pool: their object names, and their attributes. [config]: the bean with the size, if it is another one. */
private class PoolBeans(
    val noun: String,
    val bean: Regex,
    val config: String,
    val size: String,
    val active: String,
    val waiting: String,
)

private val POOL_BEANS = listOf(
    PoolBeans(
        HIKARI,
        Regex("""com\.zaxxer\.hikari:type=Pool \((.*)\)"""),
        "com.zaxxer.hikari:type=PoolConfig (%s)",
        "MaximumPoolSize",
        "ActiveConnections",
        "ThreadsAwaitingConnection",
    ),
    PoolBeans(TOMCAT_JDBC, Regex(""".*[:,]type=ConnectionPool.*"""), "", "MaxActive", "Active", "WaitCount"),
    PoolBeans(DBCP, Regex(""".*[:,]type=(?:Basic)?DataSource.*"""), "", "maxTotal", "numActive", "none"),
)

internal fun beanPools(diagnosis: Diagnosis): List<BeanPool> = diagnosis.beans.groupBy { it.bean }.flatMap { (bean, readings) ->
    POOL_BEANS.mapNotNull { kind ->
        val match = kind.bean.matchEntire(bean)?.takeIf { readings.any { kind.active in it.values } } ?: return@mapNotNull null
        val name = match.groupValues.getOrElse(1) { "" }
        val config = kind.config.replace("%s", name).ifEmpty { bean }
        val size = diagnosis.beans.lastOrNull { it.bean == config && kind.size in it.values }?.values?.get(kind.size)
        BeanPool(
            kind.noun,
            name,
            size?.roundToInt(),
            near(diagnosis, readings, kind.active),
            near(diagnosis, readings, kind.waiting),
        )
    }
}

private fun near(diagnosis: Diagnosis, readings: List<BeanReading>, attribute: String): List<Int> {
    val read = readings.filter { attribute in it.values }.ifEmpty { return emptyList() }
    return diagnosis.dumps.map { dump -> read.minBy { abs(it.at - dump.at) }.values.getValue(attribute).roundToInt() }
}

/** The settings of the size of a pool, and the class of which it has one object for each connection. */
private class PoolFacts(val noun: String, val setting: String, val type: String, val thread: Regex? = null)

private val POOL_FACTS = listOf(
    PoolFacts(HIKARI, "spring.datasource.hikari.maximum-pool-size", "com.zaxxer.hikari.pool.PoolEntry", Regex(".*:housekeeper")),
    PoolFacts(TOMCAT_JDBC, "spring.datasource.tomcat.max-active", "org.apache.tomcat.jdbc.pool.PooledConnection"),
    PoolFacts(DBCP, "spring.datasource.dbcp2.max-total", "org.apache.commons.dbcp2.PoolableConnection"),
)

/**
 * The size of the only pool of a kind for which requests wait, and its source: a setting, or its objects, because a pool for which requests
 * wait has grown to its size. Null if unknown, or if the application has several pools of this kind.
 */
internal fun poolSize(diagnosis: Diagnosis, noun: String): Size? {
    val facts = POOL_FACTS.find { it.noun == noun } ?: return null
    // Each pool of HikariCP has a thread of its own.
    val pools = diagnosis.dumps.firstOrNull()?.threads?.filter { facts.thread?.matches(it.name) == true }?.sumOf { it.count } ?: 0
    if (pools > 1) return null
    val objects = diagnosis.pooledObjects[facts.type]?.takeIf { it > 0 }
    return diagnosis.setting(facts.setting)?.let { Size(it, facts.setting) }
        ?: objects?.let { Size(it.toInt(), "number of ${facts.type.substringAfterLast('.')} objects") }
}

/** A setting by its name in any of Spring Boot's spellings; null without it, or if it is no number. */
internal fun Diagnosis.setting(name: String): Int? =
    settings.entries.find { relaxed(it.key) == relaxed(name) }?.value?.trim()?.toIntOrNull()

private fun relaxed(name: String) = name.lowercase().replace("-", "").replace("_", "")
