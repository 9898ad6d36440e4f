package bootdyno.plan

import bootdyno.keys.hostName
import bootdyno.keys.hostOf
import bootdyno.model.Database
import bootdyno.model.EngineSpec
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Subject

/** A host and the part of the plan that names it: `the subject of variant a`. */
data class NamedHost(val host: String, val where: String)

/** Engine options with comma-separated hosts. */
private val HOST_OPTIONS = listOf("target", "remotes")

/** Beginnings of options with values for scripts and plans, which may be addresses. */
private val VALUE_OPTIONS = listOf("env.", "properties.")
private val ADDRESS = Regex("""(?:http|ws)s?://([^/?#]+).*""")
private val DATABASE_HOST = Regex("""postgresql://(\[[^]]+]|[^:/]+).*""")

/** Every host that [plan] puts load on, without those of cells that `only` leaves out. */
fun hostsOf(plan: Plan): List<NamedHost> {
    val ofSubjects = plan.cells.mapNotNull { cell ->
        hostOf(cell.subject)?.let { NamedHost(it, "the subject of variant ${cell.variant.name}") }
    }
    val ofServices = plan.cells.flatMap(plan::services).mapNotNull { service ->
        hostOf(service.subject)?.let { NamedHost(it, "service ${service.name}") }
    }
    val ofEngines = plan.cells.map { it.profile.engine }.distinct().flatMap(::hostsOf)
    return (ofSubjects + ofServices + listOfNotNull(plan.experiment.database?.let(::hostOf)) + ofEngines).distinct()
}

private fun hostOf(subject: Subject): String? = when (val origin = subject.origin) {
    is Origin.Url -> hostOf(origin.base)?.let(::hostName)
    is Origin.Jar, is Origin.Command, is Origin.Image -> null
}

private fun hostOf(database: Database): NamedHost? = when (database) {
    is Database.Embedded, is Database.Container -> null
    is Database.Server -> DATABASE_HOST.matchEntire(database.url)?.let { NamedHost(hostName(it.groupValues[1]), "database.url") }
}

private fun hostsOf(engine: EngineSpec): List<NamedHost> = engine.options.flatMap { (option, value) ->
    val hosts = when {
        option in HOST_OPTIONS -> value.split(',').filter { it.isNotBlank() }
        VALUE_OPTIONS.any { option.startsWith(it) } -> listOfNotNull(ADDRESS.matchEntire(value.trim())?.groupValues?.get(1))
        else -> emptyList()
    }
    hosts.map { NamedHost(hostName(it.substringAfterLast('@')), "$option of ${engine.name}") }
}
