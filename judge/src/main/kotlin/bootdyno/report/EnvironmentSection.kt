package bootdyno.report

import bootdyno.model.Artifact
import bootdyno.model.Cell
import bootdyno.model.Environment
import bootdyno.model.Service
import bootdyno.model.SubjectFound
import bootdyno.model.TrialFacts
import bootdyno.model.Variant
import bootdyno.model.cpusText
import bootdyno.model.exact
import bootdyno.model.shellPath
import bootdyno.model.significant
import bootdyno.model.size

/** The machine, the applied limits, and the subjects. */
internal fun environmentSection(report: Report): Section {
    val machines = report.analysis.run.machines
    val ofMachines = machines.mapIndexed { index, it ->
        Folded(if (machines.size == 1) "Machine" else machineName(index), listOf(Facts(machine(it))))
    }
    val blocks = ofMachines + listOfNotNull(
        folded("CPU and memory limits", limits(report.analysis.run.trials)),
        folded("Subjects and settings", subjects(report)),
    )
    return Section("environment", "Environment", null, blocks, setOf(Medium.HTML, Medium.MARKDOWN))
}

private fun folded(summary: String, facts: List<Fact>): Block? =
    if (facts.isEmpty()) null else Folded(summary, listOf(Facts(facts)))

private fun machine(environment: Environment): List<Fact> = listOfNotNull(
    Fact("Boot Dyno", environment.bootDyno),
    Fact("started", environment.startedAt),
    Fact("system", "${environment.os}, ${environment.kernel}"),
    environment.cpuModel?.let { Fact("CPU", it) },
    Fact("CPUs", environment.topology?.words(environment.cpus) ?: "${environment.cpus}"),
    environment.topology?.let { Fact("cores", "CPU ${it.cores.joinToString(" · ")}") },
    environment.topology?.takeIf { it.nodes.size > 1 }?.let { Fact("NUMA nodes", "CPU ${it.nodes.joinToString(" · ")}") },
    environment.memory?.let { Fact("memory", size(it)) },
    Fact("JDK", environment.jdk),
    Fact("cgroup", environment.cgroup),
    environment.virtualMachine?.let { Fact("virtual machine", it) },
    environment.governor?.let { Fact("CPU governor", it) },
    environment.loadAverage?.let { Fact("load average at start", significant(it)) },
    environment.somaxconn?.let { Fact("somaxconn", "$it") },
    environment.openFiles?.let { Fact("open files", "$it") },
    environment.rounds.takeIf { it.isNotEmpty() }?.let { Fact("rounds", it.joinToString()) },
    environment.inheritedVariables.takeIf { it.isNotEmpty() }?.let { Fact("inherited variables", it.joinToString()) },
) + environment.warnings.map { Fact("warning", it) }

private fun fact(name: String, parts: List<String>) = Fact(name, parts.joinToString(" · "))

/** One line per different set of limits. */
private fun limits(trials: List<TrialFacts>): List<Fact> = trials.mapNotNull { it.record.limits }.distinct().map { found ->
    val parts = listOfNotNull(
        found.cpus?.let { "${exact(it)} CPU" },
        found.cpuList?.let { "subject on CPU $it" },
        found.engineCpuList?.let { "load engine on CPU $it" },
        found.memory?.let { "memory ${size(it)}" },
    )
    fact(found.mechanism, parts + found.notes)
}

private fun subjects(report: Report): List<Fact> {
    val trials = report.analysis.run.trials
    val hashes = found(report, { "subject ${it.subject.name}" }) { subject -> subject.sha256?.let { "SHA-256 $it" } }
    // None for plain HTTP/1.1.
    val protocols = found(report, { "protocol of ${it.variant.name}" }) { it.protocol?.words }
    val variants = report.experiment.variants.map { fact("variant ${it.name}", listOf("subject ${it.subject}") + settings(it)) }
    val services = report.experiment.services.map { service(it, trials) }
    val database = databaseWords(report)?.let {
        fact("database", listOf(it) + settings(databaseFound(trials)?.settings.orEmpty()))
    }
    val engines = trials.mapNotNull { it.record.load?.engine }.distinct().map { Fact("load engine", it) }
    val hosts = trials.flatMap { it.record.load?.agents.orEmpty() }.distinctBy { it.host }.map {
        fact("load from ${it.host}", listOfNotNull(cpusText(it.generator.cpus), it.generator.transport))
    }
    val dependencies = composeWords(report)?.let { Fact("dependencies", it) }
    return hashes + images(trials) + variants + protocols + services + listOfNotNull(database, dependencies) + engines + hosts
}

/** The different things that trials of cells with the same [title] found. */
private fun found(report: Report, title: (Cell) -> String, text: (SubjectFound) -> String?): List<Fact> {
    val run = report.analysis.run
    return run.plan.cells.groupBy(title) { it.id }.flatMap { (name, cells) ->
        val records = run.trials.map { it.record }.filter { it.trial.cell in cells }
        records.mapNotNull { it.subject?.let(text) }.distinct().map { Fact(name, it) }
    }
}

private fun settings(settings: Map<String, String>) = settings.map { "${it.key}=${it.value}" }

private fun settings(variant: Variant) = settings(variant.settings) + variant.jvm

private fun images(trials: List<TrialFacts>): List<Fact> {
    val built = trials.mapNotNull { it.record.prepared }.distinctBy { it.image }
    return built.mapNotNull { found ->
        found.image?.let { image ->
            val size = found.sizes[Artifact.IMAGE]?.let(::size)
            val origin = listOf("built on ${image.base}", "layers ${image.layers.joinToString()}", "user ${image.user}")
            fact("image ${image.name}", origin + listOfNotNull(size, "images/${image.dockerfile}"))
        }
    }
}

private fun service(service: Service, trials: List<TrialFacts>): Fact {
    val process = trials.firstNotNullOfOrNull { trial -> trial.record.services.find { it.name == service.name } }
    val where = listOfNotNull(process?.cpuList?.let { "on CPU $it" }, process?.sha256?.let { "SHA-256 $it" })
    return fact("service ${service.name}", listOf("subject ${service.subject.name}") + settings(service.variant) + where)
}

/** Commands that repeat the measurement, and its analysis. */
internal fun reproduceSection(report: Report): Section {
    val experiment = report.experiment
    val part = report.analysis.run.part.joinToString("") { " --round $it/${experiment.repetition.rounds}" }
    val commands = listOfNotNull(
        report.folder?.let { "${report.command} run ${shellPath("$it/experiment.yaml")}$part" }
            ?: "${report.command} run ${experiment.name} --seed ${experiment.repetition.seed}",
        report.folder?.let { "${report.command} report ${shellPath(it)}" },
    )
    return Section("reproduce", "Reproduce", null, listOf(Verbatim(commands)), setOf(Medium.HTML, Medium.MARKDOWN))
}

/** Paths of the files; last, because the end of a terminal's output is seen first. */
internal fun whereSection(report: Report): Section? {
    val folder = report.folder?.trimEnd('/') ?: return null
    val facts = listOf(
        Fact("Open", "$folder/report.html"),
        Fact("Judge again", "${report.command} report ${shellPath(folder)}"),
    )
    return Section("where", "Report", null, listOf(Facts(facts)), setOf(Medium.TERMINAL))
}
