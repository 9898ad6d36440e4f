package bootdyno.diagnose

import bootdyno.catalogue.CATALOGUE
import bootdyno.model.Variant
import bootdyno.probe.JvmConnection
import com.sun.tools.attach.AttachNotSupportedException
import java.io.IOException
import javax.management.InstanceNotFoundException
import javax.management.JMException
import javax.management.ObjectName

/** Further settings that limit something. None is a secret. */
private val SETTINGS = CATALOGUE.mapNotNull { it.setting }.filterNot { it.isSystemProperty }.map { it.key } + listOf(
    "server.tomcat.threads.min-spare",
    "server.tomcat.max-keep-alive-requests",
    "server.tomcat.connection-timeout",
    "server.tomcat.keep-alive-timeout",
    "server.jetty.threads.max-queue-capacity",
    "server.undertow.threads.io",
    "server.netty.connection-timeout",
    "server.netty.idle-timeout",
    "server.netty.max-keep-alive-requests",
    "server.http2.enabled",
    "server.compression.enabled",
    "spring.application.admin.enabled",
    "spring.main.web-application-type",
    "spring.mvc.async.request-timeout",
    "spring.threads.virtual.enabled",
    "spring.datasource.hikari.minimum-idle",
    "spring.datasource.hikari.connection-timeout",
    "spring.datasource.hikari.max-lifetime",
    "spring.r2dbc.pool.enabled",
    "spring.r2dbc.pool.initial-size",
    "spring.r2dbc.pool.max-acquire-time",
    "spring.jpa.open-in-view",
    "spring.data.redis.client-type",
    "spring.task.execution.pool.max-size",
    "spring.task.execution.pool.queue-capacity",
    "spring.http.client.factory",
    "spring.http.client.read-timeout",
    "spring.http.client.connect-timeout",
)

/** Further system properties that limit something. */
private val SYSTEM_PROPERTIES = CATALOGUE.mapNotNull { it.setting }.filter { it.isSystemProperty }.map { it.key } + listOf(
    "kotlinx.coroutines.scheduler.max.pool.size",
    "reactor.schedulers.defaultBoundedElasticQueueSize",
    "reactor.schedulers.defaultBoundedElasticOnVirtualThreads",
    "reactor.netty.pool.maxConnections",
    "io.netty.eventLoopThreads",
    "jdk.virtualThreadScheduler.maxPoolSize",
    "jdk.httpclient.connectionPoolSize",
    "jdk.httpclient.keepalive.timeout",
    "http.maxConnections",
    "http.keepAlive",
)

/** Settings of Spring Boot that let an application show its pools and settings over JMX. */
private val OBSERVABLE = mapOf("spring.datasource.hikari.register-mbeans" to "true", "spring.application.admin.enabled" to "true")

/** One more, with which the threads of its server can be changed. */
private val CHANGEABLE = mapOf("server.tomcat.mbeanregistry.enabled" to "true")

/** [variant] with the settings that let it show its pools and settings over JMX, and [change] them, unless it sets them itself. */
fun observable(variant: Variant, change: Boolean = false): Variant {
    val added = (OBSERVABLE + if (change) CHANGEABLE else emptyMap()).filterKeys { key ->
        val inEnvironment = key.uppercase().replace('.', '_').replace("-", "")
        key !in variant.settings && inEnvironment !in variant.environment && variant.jvm.none { it.startsWith("-D$key=") }
    }
    return variant.copy(settings = variant.settings + added)
}

private val ADMIN = ObjectName("org.springframework.boot:type=Admin,name=SpringApplication")

/** The effective values of the settings of [jvm] that are set; a setting that is absent has its default. */
internal fun effectiveSettings(jvm: JvmConnection, draft: DiagnosisDraft): Map<String, String> {
    val properties = SYSTEM_PROPERTIES.mapNotNull { key -> jvm.properties.getProperty(key)?.let { key to it } }.toMap()
    return properties + try {
        SETTINGS.mapNotNull { key -> property(jvm, key)?.let { key to it } }
    } catch (_: InstanceNotFoundException) {
        draft.missing(
            "Effective settings are unknown: the application does not register the MBean of spring.application.admin.enabled.",
        )
        emptyList()
    }
}

/**
 * The effective values of those of [keys] that are set in the application of process [pid], a JVM. Empty if it cannot be asked: it needs the
 * settings of [observable].
 */
internal fun effectiveSettings(pid: Long, keys: List<String>): Map<String, String> = try {
    JvmConnection.attach(pid).use { jvm -> keys.mapNotNull { key -> property(jvm, key)?.let { key to it } }.toMap() }
} catch (_: AttachNotSupportedException) {
    emptyMap()
} catch (_: JMException) {
    emptyMap()
} catch (_: IOException) {
    emptyMap()
}

private fun property(jvm: JvmConnection, key: String): String? =
    jvm.beans.invoke(ADMIN, "getProperty", arrayOf(key), arrayOf("java.lang.String")) as? String
