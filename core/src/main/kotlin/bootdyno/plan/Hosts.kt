package bootdyno.plan

import bootdyno.model.Database
import bootdyno.model.EngineSpec
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Subject

/** A host that a plan names, and where: `the subject of variant a`. */
data class NamedHost(val host: String, val where: String)

/** Options of load engines whose values are hosts, one or several with commas between them. */
private val HOST_OPTIONS = listOf("target", "remotes")

private val DATABASE_HOST = Regex("""postgresql://(\[[^]]+]|[^:/]+).*""")

/** Every host that measuring [plan] would put load on. Cells that `only` leaves out are not measured. */
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

/** [text] without port and brackets, in small letters: two ways of writing a host's name are one. */
fun hostName(text: String): String {
    val host = text.trim().removeSuffix(".").lowercase()
    return when {
        host.startsWith("[") -> host.substringAfter('[').substringBefore(']')
        host.count { it == ':' } == 1 -> host.substringBefore(':')
        else -> host
    }
}

private fun hostOf(subject: Subject): String? = when (val origin = subject.origin) {
    is Origin.Url -> hostOf(origin.base)?.let(::hostName)
    is Origin.Jar, is Origin.Command -> null
}

private fun hostOf(database: Database): NamedHost? = when (database) {
    is Database.Embedded, is Database.Container -> null
    is Database.Server -> DATABASE_HOST.matchEntire(database.url)?.let { NamedHost(hostName(it.groupValues[1]), "database.url") }
}

private fun hostsOf(engine: EngineSpec): List<NamedHost> = HOST_OPTIONS.flatMap { option ->
    engine.options[option].orEmpty().split(',').filter { it.isNotBlank() }
        .map { NamedHost(hostName(it), "$option of ${engine.name}") }
}
