package bootdyno.store

import bootdyno.model.DatabaseActivity
import bootdyno.model.Diagnosis
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

/** The plan with secrets hidden. It can be resumed only with its secrets: [hiddenIn] lists them. */
fun redact(plan: Plan): Plan = plan.of(redact(plan.experiment))

/** The secrets that [redact] hides in a plan: `variant tomcat: spring.datasource.password`. Empty: the plan can run unchanged. */
fun hiddenIn(plan: Plan): List<String> {
    val ofVariants = plan.experiment.variants.flatMap { hiddenIn(it, "variant") }
    val ofServices = plan.experiment.services.flatMap { hiddenIn(it.variant, "service") + hiddenIn(it.subject) }
    val ofWorkloads = plan.experiment.workloads.flatMap { workload ->
        val texts = (workload.login + workload.steps).flatMap {
            hidden(it.headers) +
                hidden(listOfNotNull(it.path, it.body, it.expect.body))
        }
        (texts + hidden(workload.parameters + workload.warmUpParameters)).map { "workload ${workload.name}: $it" }
    }
    val ofEngines = plan.experiment.profiles.map { it.engine }.distinct()
        .flatMap { engine -> hidden(engine.options).map { "engine ${engine.name}: $it" } }
    val ofCompose = hidden(plan.experiment.compose?.reset.orEmpty()).map { "compose.reset: $it" }
    return ofCompose + ofVariants + ofWorkloads + plan.experiment.subjects.flatMap { hiddenIn(it) } + ofServices + ofEngines
}

private fun hiddenIn(variant: Variant, kind: String): List<String> =
    (hidden(variant.settings + variant.environment) + hidden(variant.jvm)).map { "$kind ${variant.name}: $it" }

private fun hiddenIn(subject: Subject): List<String> {
    val origin = when (val origin = subject.origin) {
        is Origin.Jar, is Origin.Image -> emptyList()
        is Origin.Command -> origin.words
        is Origin.Url -> listOf(origin.base)
    }
    return hidden(origin + listOfNotNull(subject.readyPath, subject.countsPath)).map { "subject ${subject.name}: $it" }
}

private fun hidden(texts: List<String>): List<String> = texts.filter { HIDDEN in it }

private fun hidden(settings: Map<String, String>): List<String> = settings.filterValues { HIDDEN in it }.keys.toList()

/** Hides secrets in all texts of a trial except those that identify it. */
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

/** Hides secrets in all texts of a diagnosis that an application or its user chose. */
internal fun redact(diagnosis: Diagnosis): Diagnosis = diagnosis.copy(
    dumps = diagnosis.dumps.map { dump -> dump.copy(threads = dump.threads.map { it.copy(name = redactText(it.name)) }) },
    beans = diagnosis.beans.map { it.copy(bean = redactText(it.bean)) },
    database = diagnosis.database?.let { activity ->
        DatabaseActivity(
            activity.readings.map { reading ->
                reading.copy(sessions = reading.sessions.map { it.copy(statement = it.statement?.let(::redactText)) })
            },
        )
    },
    settings = redactSettings(diagnosis.settings),
    missing = diagnosis.missing.map(::redactText),
)

private fun redactCommands(record: TrialRecord): TrialRecord = record.copy(
    prepared = record.prepared?.let { prepared ->
        prepared.copy(steps = prepared.steps.map { it.copy(commandLine = redactCommandLine(it.commandLine)) })
    },
    subject = record.subject?.let { it.copy(commandLine = redactCommandLine(it.commandLine), jvm = redactSettings(it.jvm)) },
    services = record.services.map { it.copy(command = redactCommandLine(it.command)) },
)

private fun redact(experiment: Experiment): Experiment = experiment.copy(
    title = redactText(experiment.title),
    question = redactText(experiment.question),
    profiles = experiment.profiles.map { it.copy(engine = it.engine.copy(options = redactSettings(it.engine.options))) },
    subjects = experiment.subjects.map { redact(it) },
    variants = experiment.variants.map { redact(it) },
    workloads = experiment.workloads.map { redact(it) },
    services = experiment.services.map { Service(redact(it.variant), redact(it.subject)) },
    compose = experiment.compose?.let { it.copy(reset = redactCommandLine(it.reset)) },
)

private fun redact(variant: Variant): Variant = variant.copy(
    settings = redactSettings(variant.settings),
    jvm = redactCommandLine(variant.jvm),
    environment = redactSettings(variant.environment),
)

private fun redact(workload: Workload): Workload = workload.copy(
    steps = workload.steps.map(::redact),
    login = workload.login.map(::redact),
    parameters = redactSettings(workload.parameters),
    warmUpParameters = redactSettings(workload.warmUpParameters),
)

private fun redact(step: Step): Step = step.mapTexts(::redactText).copy(headers = redactSettings(step.headers))

private fun redact(subject: Subject): Subject = subject.copy(
    readyPath = subject.readyPath?.let(::redactText),
    countsPath = subject.countsPath?.let(::redactText),
    origin = when (val origin = subject.origin) {
        is Origin.Jar, is Origin.Image -> origin
        is Origin.Command -> origin.copy(words = redactCommandLine(origin.words))
        is Origin.Url -> origin.copy(base = redactText(origin.base))
    },
)
