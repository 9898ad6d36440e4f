package bootdyno.store

import bootdyno.model.EngineSpec
import bootdyno.model.Experiment
import bootdyno.model.HIDDEN
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Service
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.TrialRecord
import bootdyno.model.Variant
import bootdyno.model.Workload
import bootdyno.model.redactCommandLine
import bootdyno.model.redactSettings
import bootdyno.model.redactText
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject

/** The plan as it may be written down. A run resumed from it must be given its secrets again: [hiddenIn] names them. */
fun redact(plan: Plan): Plan = plan.of(redact(plan.experiment))

/** What [redact] has hidden in a plan: `variant tomcat: spring.datasource.password`. Empty: the plan can be run as it is. */
fun hiddenIn(plan: Plan): List<String> {
    val ofVariants = plan.experiment.variants.flatMap { hiddenIn(it, "variant") }
    val ofServices = plan.experiment.services.flatMap { service ->
        when (service) {
            is Service.Program -> hiddenIn(service.variant, "service") + hiddenIn(service.subject)
        }
    }
    val ofWorkloads = plan.experiment.workloads.flatMap { workload ->
        val named = (workload.parameters + workload.warmUpParameters).filterValues { HIDDEN in it }.keys
        val texts = workload.steps.flatMap { step ->
            val written = listOfNotNull(step.path, step.body, step.expect.body).filter { HIDDEN in it }
            step.headers.filterValues { HIDDEN in it }.keys + written
        }
        (texts + named).map { "workload ${workload.name}: $it" }
    }
    val ofEngines = plan.experiment.profiles.map { it.engine }.distinct().flatMap { engine ->
        engine.options.filterValues { HIDDEN in it }.keys.map { "engine ${engine.name}: $it" }
    }
    return ofVariants + ofWorkloads + plan.experiment.subjects.flatMap { hiddenIn(it) } + ofServices + ofEngines
}

private fun hiddenIn(variant: Variant, kind: String): List<String> {
    val settings = (variant.settings + variant.environment).filterValues { HIDDEN in it }.keys
    return (settings + variant.jvm.filter { HIDDEN in it }).map { "$kind ${variant.name}: $it" }
}

private fun hiddenIn(subject: Subject): List<String> =
    (originWords(subject.origin) + listOfNotNull(subject.readyPath, subject.countsPath)).filter { HIDDEN in it }
        .map { "subject ${subject.name}: $it" }

/** Whatever a trial says may repeat a secret, so each of its texts is looked through; what identifies the trial is no such text. */
internal fun redact(record: TrialRecord): TrialRecord {
    val told = Json.encodeToJsonElement(TrialRecord.serializer(), redactCommands(record)).jsonObject
    val harmless = told.mapValues { (name, value) -> if (name == "trial") value else redact(value) }
    return Json.decodeFromJsonElement(TrialRecord.serializer(), JsonObject(harmless))
}

private fun redact(told: JsonElement): JsonElement = when (told) {
    is JsonObject -> JsonObject(told.mapValues { redact(it.value) })
    is JsonArray -> JsonArray(told.map { redact(it) })
    is JsonPrimitive -> if (told.isString) JsonPrimitive(redactText(told.content)) else told
}

private fun redactCommands(record: TrialRecord): TrialRecord = record.copy(
    prepared = record.prepared?.let { prepared ->
        prepared.copy(steps = prepared.steps.map { it.copy(commandLine = redactCommandLine(it.commandLine)) })
    },
    subject = record.subject?.let { it.copy(commandLine = redactCommandLine(it.commandLine), jvm = redactSettings(it.jvm)) },
    services = record.services.map { service ->
        service.copy(command = redactCommandLine(service.command))
    },
)

private fun redact(experiment: Experiment): Experiment = experiment.copy(
    title = redactText(experiment.title),
    question = redactText(experiment.question),
    profiles = experiment.profiles.map { redact(it) },
    subjects = experiment.subjects.map { redact(it) },
    variants = experiment.variants.map { redact(it) },
    workloads = experiment.workloads.map { redact(it) },
    services = experiment.services.map { redact(it) },
)

private fun redact(profile: NamedProfile): NamedProfile = profile.copy(engine = redact(profile.engine))

private fun redact(engine: EngineSpec): EngineSpec = engine.copy(options = redactSettings(engine.options))

private fun redact(service: Service): Service = when (service) {
    is Service.Program -> service.copy(variant = redact(service.variant), subject = redact(service.subject))
}

private fun redact(variant: Variant): Variant = variant.copy(
    settings = redactSettings(variant.settings),
    jvm = redactCommandLine(variant.jvm),
    environment = redactSettings(variant.environment),
)

private fun redact(workload: Workload): Workload = workload.copy(
    steps = workload.steps.map { redact(it) },
    parameters = redactSettings(workload.parameters),
    warmUpParameters = redactSettings(workload.warmUpParameters),
)

private fun redact(step: Step): Step = step.mapTexts { redactText(it) }.copy(headers = redactSettings(step.headers))

private fun redact(subject: Subject): Subject = subject.copy(
    readyPath = subject.readyPath?.let { redactText(it) },
    countsPath = subject.countsPath?.let { redactText(it) },
    origin = when (val origin = subject.origin) {
        is Origin.Jar -> origin
        is Origin.Command -> origin.copy(words = redactCommandLine(origin.words))
        is Origin.Url -> origin.copy(base = redactText(origin.base))
    },
)

private fun originWords(origin: Origin): List<String> = when (origin) {
    is Origin.Jar -> emptyList()
    is Origin.Command -> origin.words
    is Origin.Url -> listOf(origin.base)
}
