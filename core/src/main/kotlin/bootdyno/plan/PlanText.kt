package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Database
import bootdyno.model.EngineSpec
import bootdyno.model.Expectation
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Pool
import bootdyno.model.Protocol
import bootdyno.model.PublishedFigure
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.Service
import bootdyno.model.Source
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.WarmUp
import bootdyno.model.Workload

/** The resolved experiment as YAML: every default and flag written out. Reading it again gives the same plan. */
fun planText(plan: Plan): String = writeYaml(ExperimentKeys.write(plan.experiment))

/** What one declaration became, written as that declaration again. */
internal fun workloadNode(points: List<Workload>) = map {
    val first = points.first()
    val single = first.steps.singleOrNull()?.takeIf { first.sendsTheSame && it.name == first.declared }
    if (single == null) {
        put(CHAIN, map { first.steps.forEach { step -> put(step.name, map { putRequest(step) }) } })
    } else {
        putRequest(single)
    }
    put("data", first.data?.path)
    put("parameters", parameters(points))
    put("warm-up", texts(first.warmUpParameters))
    val held = points.mapNotNull { it.holds?.toText() }
    if (held.distinct().size > 1) put("holds", texts(held)) else put("holds", held.firstOrNull())
    put("on", texts(first.on))
    put("calls", first.calls.takeIf { it != 1 }?.toString())
}

private fun MapMaking.putRequest(step: Step) {
    put(step.method.lowercase(), step.path)
    put("headers", texts(step.headers))
    put("body", step.body)
    put("expect", node(step.expect))
    put("capture", texts(step.capture))
}

private fun node(expect: Expectation) = map {
    put("status", expect.status.toString())
    put("body", expect.body)
    put("content-type", expect.contentType)
}

/** The axis is a list even of one value, and comes first, since the first list is the axis. */
private fun parameters(points: List<Workload>): MapNode? = map {
    val first = points.first()
    val axis = first.point?.axis
    val names = listOfNotNull(axis) + (first.parameters.keys - setOfNotNull(axis))
    names.forEach { name ->
        val values = points.map { it.parameters.getValue(name) }
        if (name == axis || values.distinct().size > 1) put(name, texts(values)) else put(name, values.first())
    }
}.unlessEmpty()

internal fun profileNode(points: List<NamedProfile>): MapNode = map {
    // Every protocol and engine has the same loads; the article's window is its own.
    val usual = points.find { it.protocol != MeasuringProtocol.ARTICLE } ?: points.first()
    val ofOne = points.filter { it.protocol == usual.protocol && it.engine == usual.engine }
    val loads = ofOne.map { it.load.text }
    put(usual.load.kind.word, if (usual.point == null) text(loads.first()) else texts(loads))
    (usual.load as? LoadProfile.Open)?.let { put("arrivals", word(ARRIVALS, it.arrivals)) }
    put("window", usual.window.toText())
    put("timeout", usual.timeout.toText())
    put("warm-up", word(WARM_UPS, true).takeIf { usual.certified })
}

private val LoadProfile.text: String
    get() = when (this) {
        is LoadProfile.Closed -> connections.toString()
        is LoadProfile.Open -> "${plainText(perSecond)}/s"
        is LoadProfile.Burst -> "$users x $requestsEach"
    }

internal fun engineNode(engine: EngineSpec): Node = if (engine.script == null && engine.options.isEmpty()) {
    text(engine.name)
} else {
    map {
        put(
            engine.name,
            map {
                put("script", engine.script)
                engine.options.forEach { (name, value) -> put(name, value) }
            },
        )
    }
}
