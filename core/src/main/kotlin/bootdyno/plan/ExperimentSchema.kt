package bootdyno.plan

import bootdyno.model.EngineSpec
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val PRETTY = Json { prettyPrint = true }

/** The JSON Schema (draft 2020-12) of the experiment file, for editors. `readPlan` checks all of it and the references besides. */
fun experimentSchema(): String = PRETTY.encodeToString(JsonElement.serializer(), schema()) + "\n"

private fun schema() = JsonObject(
    mapOf(
        "\$schema" to JsonPrimitive("https://json-schema.org/draft/2020-12/schema"),
        "title" to JsonPrimitive("Boot Dyno experiment"),
    ) + ExperimentKeys.schema,
)

/** One that its reader understands by itself. */
internal class Raw<W>(override val words: String, override val schema: JsonObject, private val make: (W) -> Node) :
    Type<Cursor, W>() {
    override fun read(cursor: Cursor) = cursor

    override fun write(value: W) = make(value)
}

internal val WORKLOAD = Raw("workload", workload(), ::workloadNode)
internal val PROFILE = Raw("profile", profile(), ::profileNode)
internal val ENGINE = Raw<EngineSpec>("a name, or name → script or options", engine(), ::engineNode)

private fun engine(): JsonObject {
    val name = string("A load engine: dyno, wrk, jmeter, gatling.")
    val option = either(single("Any single value."), stringList("Several values."), stringMap("Options of the option: name.key."))
    val own = named(
        "An engine with its script, or with options in its own words.",
        either(single("A script."), named("Options; script among them.", option)),
    )
    return either(name, own)
}

private fun workload() = shape("A request, or a chain of them.", alternatives = WORKLOAD_KINDS) {
    METHODS.forEach { field(it, string("Path and query; {name} stands for a parameter.")) }
    field(CHAIN, named("Requests one after the other, in this order.", step()))
    field("data", string("Of a chain: a CSV file beside this one; a chain takes its next row each time it begins."))
    field("parameters", parameters())
    field("warm-up", stringMap("Cheaper values while warming up."))
    field(
        "holds",
        either(
            string("How long a request holds what its style occupies: 500 ms, \"{ms} ms\"."),
            stringList("One for each value of the axis."),
        ),
    )
    field("expect", expect())
    field("on", stringList("The variants it applies to; all when left out."))
    field("headers", stringMap("Request headers; of a chain those of every step that has no such header of its own."))
    field("body", single("Request body."))
    field(
        "calls",
        wholeNumber("Calls of each service that counts, by one request; 1 when left out. Checks counts, asks nothing.", CALLS),
    )
}

private fun step() = shape("One request of a chain.", alternatives = METHODS) {
    METHODS.forEach { field(it, string("Path and query; {name} stands for a parameter, a column or what was captured.")) }
    field("headers", stringMap("Request headers."))
    field("body", single("Request body."))
    field("expect", expect())
    field(
        "capture",
        named(
            "What later steps call {name}.",
            formed("Where it is in the answer, which is JSON: $.persons[0].id.", "^[$]([.].+|\\[.+)$"),
        ),
    )
}

private fun parameters() = JsonObject(
    mapOf(
        "type" to JsonPrimitive("object"),
        "description" to JsonPrimitive("Values for the placeholders. The first list is swept; other lists go along with it."),
        "additionalProperties" to either(single("One value."), stringList("One workload for each.")),
    ),
)

private fun expect() = shape("What a good answer looks like.") {
    field("status", wholeNumber("HTTP status, 200 when left out.", STATUSES))
    field("body", single("The whole body."))
    field("content-type", string("Without its parameters."))
}

private fun profile() = shape("A load: one of closed, open and burst.", alternatives = PROFILE_KINDS) {
    field("closed", oneOrSwept(wholeNumber("Connections; each sends again when answered.", CONNECTIONS)))
    field("open", oneOrSwept(string("Requests a second, answered or not: 500/s; ${words(RATES)}.")))
    field(
        "burst",
        oneOrSwept(
            string(
                "Users at once × requests each: 10000 x 100; at most ${whole(
                    USERS.last.toLong(),
                )} users, ${whole(MOST_OF_A_BURST)} requests.",
            ),
        ),
    )
    field("arrivals", choice("Spacing of open load.", ARRIVALS.keys))
    field(
        "window",
        duration(
            "How long to measure, ${words(
                WINDOWS,
            )}; the preset's when left out. A burst ends by itself: the longest it may take.",
        ),
    )
    field("timeout", duration("When a request is given up, ${words(TIMEOUTS)}; 30 s when left out."))
    field(
        "warm-up",
        choice("So much load that what a request costs decides, even of workloads that say what they hold.", WARM_UPS.keys),
    )
}

private fun oneOrSwept(one: JsonObject) = either(one, list("A profile for each.", one))

private fun list(description: String, items: JsonObject) =
    JsonObject(mapOf("type" to JsonPrimitive("array"), "description" to JsonPrimitive(description), "items" to items))

private fun either(vararg choices: JsonObject) = JsonObject(mapOf("anyOf" to JsonArray(choices.toList())))
