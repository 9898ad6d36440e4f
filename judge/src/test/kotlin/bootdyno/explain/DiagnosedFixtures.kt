package bootdyno.explain

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.ResourceKind
import bootdyno.model.Diagnosis
import bootdyno.model.Frame
import bootdyno.model.LoadProfile
import bootdyno.model.SocketReading
import bootdyno.model.Stack
import bootdyno.occupancy.Activity
import bootdyno.occupancy.Doing
import bootdyno.occupancy.Occupancy
import bootdyno.occupancy.Resource
import bootdyno.occupancy.Size

internal const val DUMPS = 20
internal val NOT_DIAGNOSED = Diagnosis(from = 0.0, to = 0.0)
internal val FIND = Frame("com.acme.Orders", "find", 42)

/** A cell of an unknown application, measured and observed; [single]: seconds of single requests. */
internal fun observed(
    clients: Int,
    measured: Measured,
    occupancy: Occupancy,
    diagnosis: Diagnosis = NOT_DIAGNOSED,
    cpus: Double = 1.0,
    single: List<Double> = emptyList(),
    load: LoadProfile = LoadProfile.Closed(clients),
): Observed {
    val cell = cell(Stack.UNKNOWN, null, load = load, holds = null, cpus = cpus)
    val trial = measured.trial(cell).copy(diagnosis = diagnosis.copy(aloneRequests = single))
    val analysis = analysed(cell, trial)
    return Observed(checkNotNull(evidence(analysis, analysis.cells.single())), occupancy)
}

internal fun resource(kind: ResourceKind, noun: String, size: Int?, inUse: Int, waiting: Int, vararg users: Activity) = Resource(
    kind = kind,
    noun = noun,
    knownSize = size?.let(::sized),
    inUse = times(inUse),
    waiting = times(waiting),
    waitingIn = FIND,
    users = users.toList(),
    id = if (kind == ResourceKind.DATABASE_CONNECTIONS) "hikari" else "$kind",
    entry = CATALOGUE.find { it.noun == noun },
)

/** With so many connections of clients, and to each peer. [queued]: in the accept queue. */
internal fun connected(inbound: Int, vararg outbound: Pair<String, Int>, queued: Int? = null): Diagnosis =
    NOT_DIAGNOSED.copy(sockets = List(DUMPS) { SocketReading(it.toDouble(), inbound, mapOf(*outbound), queued) })

private val database = activity(Doing.DATABASE, 1.0, FIND)

/** Ten connections, for which 90 requests wait. */
internal val hikari =
    resource(ResourceKind.DATABASE_CONNECTIONS, "HikariCP connections", 10, inUse = 10, waiting = 90, database)

internal fun sized(units: Int) = Size(units, "MBean")

internal fun occupancy(resources: List<Resource>, activities: List<Activity>, requests: Int) =
    Occupancy(DUMPS, resources, times(requests), activities)

internal fun activity(doing: Doing, share: Double, at: Frame?, resource: String? = null) = Activity(doing, share, at, resource)

internal fun times(value: Int) = List(DUMPS) { value }

internal fun concluded(clients: Int, perSecond: Double, cpus: Double, resources: List<Resource>, alone: Double = 0.02) =
    concluded(clients, perSecond, cpus, occupancy(resources, emptyList(), clients), NOT_DIAGNOSED, alone)

internal fun concluded(
    clients: Int,
    perSecond: Double,
    used: Double,
    occupancy: Occupancy,
    diagnosis: Diagnosis,
    alone: Double,
    cpus: Double = 1.0,
): Conclusion? {
    val measured = Measured(perSecond, meanMs = clients / perSecond * 1e3, minMs = alone * 1e3, cpus = used)
    return conclusion(observed(clients, measured, occupancy, diagnosis, cpus))
}

internal fun workers(noun: String, size: Int, vararg users: Activity) =
    resource(ResourceKind.WORKERS, noun, size, inUse = size, waiting = 0, *users).copy(waiting = emptyList())

internal fun tomcat(inUse: Int, vararg users: Activity) =
    resource(ResourceKind.REQUEST_THREADS, "Tomcat threads", 200, inUse, waiting = 0, *users)
        .copy(waitingIn = null, waiting = emptyList())
