package bootdyno.plan

import bootdyno.model.Assertion
import bootdyno.model.CellId
import bootdyno.model.Claim
import bootdyno.model.Experiment
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Protocol
import bootdyno.model.PublishedFigure
import bootdyno.model.Source
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
    put("variants", map { experiment.variants.forEach { put(it.name, node(it, experiment.subjects)) } })
    put("workloads", map { experiment.workloads.forEach { put(it.name, node(it)) } })
    put("profiles", map { experiment.profiles.forEach { put(it.name, node(it)) } })
    put("only", texts(experiment.only))
    put("baseline", experiment.baseline?.text)
    putProtocol(experiment.protocol)
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

private fun node(variant: Variant, subjects: List<Subject>) = map {
    val subject = subjects.first { it.name == variant.subject }
    put("subject", if (subject.inPlace) node(subject) else text(subject.name))
    put("settings", texts(variant.settings))
    put("jvm", texts(variant.jvm))
    put("env", texts(variant.environment))
    put("java", variant.java)
}

internal fun node(subject: Subject): MapNode = map {
    when (val origin = subject.origin) {
        is Origin.Jar -> put("jar", origin.path)
        is Origin.Command -> put("command", texts(origin.words))
        is Origin.Url -> put("url", origin.base)
    }
    put("stack", word(STACKS, subject.stack))
    put("ready", subject.readyPath)
    val styles = map {
        subject.styles.forEach { style ->
            put(
                style.path,
                map {
                    put("style", style.name)
                    put("occupies", word(OCCUPIED, style.occupies))
                },
            )
        }
    }
    put("styles", styles.unlessEmpty())
}

internal fun node(workload: Workload) = map {
    put(workload.method.lowercase(), workload.path)
    put("parameters", texts(workload.parameters))
    put("warm-up", texts(workload.warmUpParameters))
    put("holds", workload.holds?.toText())
    put("headers", texts(workload.headers))
    put("body", workload.body)
    val expect = map {
        put("status", workload.expect.status.toString())
        put("body", workload.expect.body)
        put("content-type", workload.expect.contentType)
    }
    put("expect", expect)
    put("on", texts(workload.on))
}

internal fun node(profile: NamedProfile): MapNode = map {
    when (val load = profile.load) {
        is LoadProfile.Closed -> put("closed", load.connections.toString())

        is LoadProfile.Open -> {
            put("open", "${plainText(load.perSecond)}/s")
            put("arrivals", word(ARRIVALS, load.arrivals))
        }

        is LoadProfile.Burst -> put("burst", "${load.users} x ${load.requestsEach}")
    }
    put("window", profile.window.toText())
    put("timeout", profile.timeout.toText())
}

private fun MapMaking.putProtocol(protocol: Protocol) {
    put("preset", word(PRESETS, protocol.preset))
    put("rounds", protocol.rounds.toString())
    put("max-rounds", protocol.maxRounds.toString())
    put("seed", protocol.seed.toString())
    when (val warmUp = protocol.warmUp) {
        is WarmUp.Cold -> put("cold", "true")
        is WarmUp.Certified -> put("warm-up", node(warmUp))
    }
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
    put(cell.text, map { figures.forEach { put(it.measure.word, plainText(it.value)) } })

private fun node(claim: Claim): MapNode = map {
    put("text", claim.text)
    when (val says = claim.assertion) {
        is Assertion.Ratio -> {
            put("ratio", texts(listOf(says.candidate.text, says.baseline.text)))
            put("measure", says.measure.word)
            put("published", plainText(says.published))
        }

        is Assertion.Figure -> {
            put("figure", says.cell.text)
            put("measure", says.measure.word)
            put("published", plainText(says.published))
        }
    }
    put("tolerance", percentText(claim.tolerance))
}
