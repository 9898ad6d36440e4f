package bootdyno.diagnose

import bootdyno.catalogue.CATALOGUE
import bootdyno.model.Variant
import bootdyno.model.associateWithNotNull
import bootdyno.probe.JvmConnection
import bootdyno.probe.jmxOrNull
import javax.management.InstanceNotFoundException
import javax.management.ObjectName

/** The settings of the sizes of known resources, by whether they are system properties. None is a secret. */
private val SETTINGS = CATALOGUE.mapNotNull { it.setting }.groupBy({ it.isSystemProperty }, { it.key })

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
    val properties = SETTINGS.getValue(true).associateWithNotNull { key -> jvm.properties.getProperty(key) }
    return properties + try {
        (SETTINGS.getValue(false) + OBSERVABLE.keys).mapNotNull { key -> property(jvm, key)?.let { key to it } }
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
internal fun effectiveSettings(pid: Long, keys: List<String>): Map<String, String> =
    jmxOrNull { JvmConnection.attach(pid).use { jvm -> keys.associateWithNotNull { key -> property(jvm, key) } } }.orEmpty()

private fun property(jvm: JvmConnection, key: String): String? =
    jvm.beans.invoke(ADMIN, "getProperty", arrayOf(key), arrayOf("java.lang.String")) as? String
