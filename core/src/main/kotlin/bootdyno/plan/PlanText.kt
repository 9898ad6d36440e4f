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
fun planText(plan: Plan): String = writeYaml(node(plan.experiment))

private fun node(experiment: Experiment) = map {
    put("name", experiment.name)
    put("title", experiment.title)
    put("question", experiment.question.ifEmpty { null })
    put("source", experiment.source?.let(::node))
    put("limits", node(experiment.limits))
    put("in", node(experiment.place))
    put("services", map { experiment.services.forEach { put(it.name, node(it)) } }.unlessEmpty())
    put("database", experiment.database?.let(::node))
    put("variants", map { experiment.variants.forEach { put(it.name, node(it, experiment.subjects)) } })
    put("workloads", map { experiment.workloads.groupBy { it.declared }.forEach { (name, points) -> put(name, node(points)) } })
    put(
        "profiles",
        map {
            experiment.profiles.groupBy { it.declared }.forEach { (name, points) -> put(name, profileNode(points)) }
        },
    )
    put("engine", enginesNode(experiment.profiles.map { it.engine }.distinct()))
    put("only", texts(experiment.only))
    put("baseline", experiment.baseline?.text)
    putProtocol(experiment.protocol)
    put("protocol", protocolsNode(experiment.profiles))
    put(
        "latencyAt",
        map {
            experiment.latencyAt.forEach { (pattern, shares) -> put(pattern, texts(shares.map(::percentText))) }
        }.unlessEmpty(),
    )
    put("published", published(experiment.published))
    put("claims", experiment.claims.ifEmpty { null }?.let { claims -> ListNode(claims.map(::node), NOWHERE) })
    put("gates", texts(experiment.gates.map { it.text }))
}

private fun node(source: Source) = map {
    put("key", source.key)
    put("title", source.title)
    put("conditions", source.conditions)
}

private fun node(limits: Limits) = map {
    put("cpus", limits.cpus?.let(::plainText) ?: UNLIMITED)
    put("memory", limits.memory?.toText() ?: UNLIMITED)
    put("cpu-by", word(CPU_BY, limits.cpuBy))
}

/** Where everything runs if nothing is said, nothing is. */
private fun node(place: RunPlace): MapNode? = when (place) {
    RunPlace.Process -> null
    is RunPlace.Docker -> map { put(DOCKER, place.baseImage) }
}

private fun node(service: Service): MapNode = when (service) {
    is Service.Program -> node(service.variant, listOf(service.subject))
}

private fun node(database: Database): Node = when (database) {
    Database.Embedded() -> text(EMBEDDED)

    is Database.Embedded -> map {
        put("schema", database.schema)
        put("settings", texts(database.settings))
    }

    is Database.Container -> map {
        put("image", database.image)
        put("schema", database.schema)
        put("settings", texts(database.settings))
    }

    is Database.Server -> map {
        put("url", database.url)
        put("user", database.user)
        put("passwordEnv", database.passwordEnv)
        put("schema", database.schema)
    }
}

private fun node(variant: Variant, subjects: List<Subject>) = map {
    val subject = subjects.first { it.name == variant.subject }
    put("subject", if (subject.inPlace) node(subject) else text(subject.name))
    put("settings", texts(variant.settings))
    put("jvm", texts(variant.jvm))
    put("env", texts(variant.environment))
    put("java", variant.java)
    put("runtime", variant.runtime.word.takeIf { variant.runtime != RuntimeForm.JAR })
    put("working-directory", variant.workingDirectory)
}

internal fun node(subject: Subject): MapNode = map {
    when (val origin = subject.origin) {
        is Origin.Jar -> put("jar", origin.path)
        is Origin.Command -> put("command", texts(origin.words))
        is Origin.Url -> put("url", origin.base)
    }
    put("stack", word(STACKS, subject.stack))
    put("ready", subject.readyPath)
    put("ready-within", subject.readyWithin?.toText())
    val styles = map {
        subject.styles.forEach { style ->
            put(
                style.path,
                map {
                    put("style", style.name)
                    put("occupies", word(OCCUPIED, style.occupies))
                    put("pool", style.pool?.let(::node))
                },
            )
        }
    }
    put("styles", styles.unlessEmpty())
    put("counts", subject.countsPath)
    put(
        "statements",
        map {
            subject.statements.forEach { (name, verbs) -> put(name, ListNode(verbs.map(::text), NOWHERE)) }
        }.unlessEmpty(),
    )
}

private fun node(pool: Pool) = map {
    put("of", pool.noun)
    put("setting", pool.setting)
    put("size", "${pool.size}")
}

internal fun node(workload: Workload): MapNode = node(listOf(workload))

/** What one declaration became, written as that declaration again. */
private fun node(points: List<Workload>) = map {
    val first = points.first()
    if (first.isChain) {
        put(
            CHAIN,
            map {
                first.steps.forEach { put(it.name, node(it)) }
            },
        )
    } else {
        put(first.method.lowercase(), first.path)
    }
    put("data", first.data?.path)
    put("parameters", parameters(points))
    put("warm-up", texts(first.warmUpParameters))
    val held = points.mapNotNull { it.holds?.toText() }
    if (held.distinct().size > 1) put("holds", texts(held)) else put("holds", held.firstOrNull())
    put("headers", texts(first.headers))
    put("body", first.body)
    if (!first.isChain) put("expect", node(first.expect))
    put("on", texts(first.on))
    put("calls", first.calls.takeIf { it != 1 }?.toString())
}

private fun node(step: Step) = map {
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

internal fun node(profile: NamedProfile): MapNode = profileNode(listOf(profile))

private fun profileNode(points: List<NamedProfile>): MapNode = map {
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

private fun enginesNode(engines: List<EngineSpec>): Node? = when {
    engines.all { it == EngineSpec() } -> null
    else -> engines.map(::node).let { if (it.size == 1) it.single() else ListNode(it, NOWHERE) }
}

private fun node(engine: EngineSpec): Node = if (engine.script == null && engine.options.isEmpty()) {
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

private fun protocolsNode(profiles: List<NamedProfile>): Node? =
    profiles.map { it.protocol.word }.distinct().let { if (it.size == 1) text(it.single()) else texts(it) }

private fun MapMaking.putProtocol(protocol: Protocol) {
    put("preset", word(PRESETS, protocol.preset))
    put("rounds", protocol.rounds.toString())
    put("max-rounds", protocol.maxRounds.toString())
    put("seed", protocol.seed.toString())
    (protocol.warmUp as? WarmUp.Certified)?.let { put("warm-up", node(it)) }
    put("budget", protocol.budget.toText())
    put("again", protocol.again.toString())
}

private fun node(warmUp: WarmUp.Certified) = map {
    put("law-like", warmUp.lawLike.toText())
    put("budget", warmUp.budget.toText())
}

private fun published(figures: List<PublishedFigure>) =
    map { figures.groupBy { it.cell }.forEach { (cell, ofCell) -> put(cell, ofCell) } }.unlessEmpty()

private fun MapMaking.put(cell: CellId, figures: List<PublishedFigure>) =
    put(cell.text, map { figures.forEach { put(quantityWord(it.measure, it.operation), plainText(it.value)) } })

private fun node(claim: Claim): MapNode = map {
    put("text", claim.text)
    when (val says = claim.assertion) {
        is Assertion.Ratio -> {
            put("ratio", texts(listOf(says.candidate.text, says.baseline.text)))
            put("measure", quantityWord(says.measure, says.operation))
            put("published", plainText(says.published))
        }

        is Assertion.Figure -> {
            put("figure", says.cell.text)
            put("measure", quantityWord(says.measure, says.operation))
            put("published", plainText(says.published))
        }

        is Assertion.Difference -> {
            put("ratio", texts(listOf(says.candidate.text, says.baseline.text)))
            put("measure", says.measure.word)
            put("published", says.tendency.word)
        }
    }
    put("tolerance", percentText(claim.tolerance))
}
