package bootdyno.plan

import bootdyno.model.Measure
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val PRETTY = Json { prettyPrint = true }

/** The JSON Schema (draft 2020-12) of the experiment file, for editors. `readPlan` checks all of it and the references besides. */
fun experimentSchema(): String = PRETTY.encodeToString(JsonElement.serializer(), schema()) + "\n"

private fun schema() = JsonObject(
    buildMap {
        put("\$schema", JsonPrimitive("https://json-schema.org/draft/2020-12/schema"))
        put("title", JsonPrimitive("Boot Dyno experiment"))
        putAll(experiment())
    },
)

private fun experiment() = shape("A question: variants × workloads × profiles under limits, repeated in rounds.") {
    field("name", string("What the experiment is called; the file's name when left out."))
    field("title", string("One line."))
    field("question", string("What this experiment answers."))
    field("source", source())
    field("extends", string("An experiment whose keys this one inherits: a built-in name, or a file beside this one."))
    field("limits", limits())
    field("in", place())
    field("services", named("Servers that subjects call, started afresh for each trial.", service()))
    field("database", database())
    field("variants", named("Subjects in one configuration each: the things compared.", variant()))
    field("workloads", named("What a request asks for.", workload()))
    field("profiles", named("How it is asked for.", profile()))
    field("engine", engine())
    field("only", stringList("Patterns of cell ids to keep; * matches anything."))
    field("baseline", string("The cell all others are compared with; the first when left out."))
    field("preset", choice("How thorough: rounds, windows and warm-up.", PRESETS.keys))
    field("rounds", wholeNumber("Times every cell is measured.", ROUNDS))
    field("max-rounds", wholeNumber("Adaptive stopping goes on to at most this many.", ROUNDS))
    field(
        "seed",
        JsonObject(mapOf("type" to JsonPrimitive("integer"), "description" to JsonPrimitive("Of the order of trials."))),
    )
    field("protocol", protocol())
    field("warm-up", warmUp())
    field("budget", duration("The longest the run may go on adding rounds, ${words(BUDGETS)}."))
    field("again", flag("Measure the baseline twice a round, to learn what this machine can resolve."))
    field("published", named("Figures an article printed, by cell.", published()))
    field("claims", list("What an article says.", claim()))
    field("latencyAt", latencyAt())
    field("presets", presets())
    field("gates", stringList("Rules to pass or fail: a/x.throughput >= 1.8 * b/x.throughput, a/x.p99 <= 650 ms."))
}

private fun protocol(): JsonObject {
    val one = choice("steady: warm; article: no warm-up, 30 s; cold: no warm-up.", MEASURING_PROTOCOLS.keys)
    return either(one, list("Each cell is measured in each.", one))
}

private fun engine(): JsonObject {
    val name = string("A load engine: dyno, wrk, jmeter, gatling.")
    val option = either(single("Any single value."), stringList("Several values."), stringMap("Options of the option: name.key."))
    val own = named(
        "An engine with its script, or with options in its own words.",
        either(single("A script."), named("Options; script among them.", option)),
    )
    val one = either(name, own)
    return either(one, list("Each cell is measured by each.", one))
}

private fun latencyAt(): JsonObject {
    val shares = list("Shares of the measured capacity, under open load: 50 %.", percentage("From 1 % to 99 %."))
    return either(shares, named("By pattern of cell ids.", shares))
}

/** What a preset may change is the whole file; it is not said twice. */
private fun presets() = shape("What the file says otherwise under a preset: any keys of the file.") {
    PRESETS.keys.forEach { field(it, JsonObject(mapOf("type" to JsonPrimitive("object")))) }
}

private fun percentage(description: String) = formed(description, "^[0-9.]+ *%$")

private fun source() = shape("Where the published figures are from.", listOf("key", "title")) {
    field("key", string("A short name for it."))
    field("title", string("Its title."))
    field("conditions", string("What they were measured under, in a phrase."))
}

private fun limits() = shape("What a subject gets of the machine.") {
    field(
        "cpus",
        either(
            number("CPUs, ${words(CPUS)} and at most what the machine has; pinning needs whole ones."),
            choice("Not limited.", setOf(UNLIMITED)),
        ),
    )
    field(
        "memory",
        either(
            size("With a binary unit: 1 GiB; ${words(MEMORY)} and at most what the machine has."),
            choice("Not limited.", setOf(UNLIMITED)),
        ),
    )
    field("cpu-by", choice("CPUs of its own, or a quota of all.", CPU_BY.keys))
}

private fun place(): JsonObject {
    val docker = shape("In containers.", listOf(DOCKER)) {
        field(DOCKER, string("The image to build on, with a java in it: $DEFAULT_BASE_IMAGE."))
    }
    return either(choice("Where subjects run: as processes, or each in a container.", PLACES.keys), docker)
}

/** Declared as a variant is. */
private fun service() = JsonObject(
    variant() + (
        "description" to JsonPrimitive(
            "A subject in one configuration. In a variant's settings {name} stands for its address, {name.port} for its port.",
        )
        ),
)

private fun database(): JsonObject {
    val own = shape("A PostgreSQL of our own, one in a container, by its image, or one that already runs, by its url.") {
        field("image", string("An image used as Docker's official one is: postgres:18."))
        field("url", string("postgresql://host:5432/name, of one that already runs."))
        field("user", string("Who we are there."))
        field("passwordEnv", string("The environment variable that holds the password."))
        field("schema", string("An SQL file, relative to this one, that makes the tables before each trial."))
        field("settings", stringMap("Settings of a PostgreSQL of our own: shared_buffers: 256MB."))
    }
    return either(choice("A PostgreSQL of our own, as it comes.", setOf(EMBEDDED)), own)
}

private fun variant() = shape("A subject in one configuration.") {
    field("subject", either(string("A built-in subject."), subject()))
    field("settings", stringMap("Application settings."))
    field("jvm", stringList("JVM flags, in order."))
    field("env", stringMap("Environment variables."))
    field("java", string("The java to run the jar with."))
    field("runtime", choice("What the jar is run as; made from it before the first trial. No service's.", RUNTIME_FORMS.keys))
    field(
        "working-directory",
        string("The folder it is started in, relative to this file; an empty one of its own when left out."),
    )
}

private fun subject() = shape("An application of your own: one of jar, command and url.", alternatives = ORIGIN_KINDS) {
    field("jar", string("An executable jar, relative to this file."))
    field("command", stringList("A command that listens on {port}."))
    field("url", string("A server that already runs."))
    field("stack", choice("What it is built on; decides which pools are known.", STACKS.keys))
    field("ready", string("The path whose first answer in the 200s means started. Without it, any answer to GET / does."))
    field("ready-within", duration("How long it may take to start, 2 min when left out."))
    field("styles", named("How the handlers behind paths are written.", style()))
    field("counts", string("As a service: the path that answers with its counts, { received, answered, inFlight }."))
    field("statements", named("What its database executes for each operation, as counted.", stringList("BEGIN, SELECT, COMMIT")))
}

private fun style() = shape("A handler.", STYLE_NEEDS) {
    field("style", string("Its name."))
    field("occupies", choice("What a request holds while it waits.", OCCUPIED.keys))
    field("pool", pool())
}

private fun pool() = shape("A pool of a limited size that it takes a piece of besides, as of an HTTP client.", POOL_KEYS) {
    field("of", string("What it is a pool of: connections of the WebClient."))
    field("setting", string("The setting that says its size."))
    field("size", wholeNumber("Its size where that setting is not given.", POOL_SIZES))
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

private fun warmUp() = shape("How warm a subject is before it is measured.") {
    field("law-like", duration("For workloads that say what they hold, ${words(WARM_UP_TIMES)}."))
    field("budget", duration("For the others, at most; ${words(WARM_UP_TIMES)}."))
}

private fun published() = shape("Figures of one cell, or of a line of cells by the values of its axis.") {
    MEASURES.forEach { (name, measure) -> field(name, figures(measure)) }
}.andKeys(OF_AN_OPERATION, figures(number("Of one operation, a step of a chain: create.throughput.")))

private fun figures(measure: Measure) =
    figures(if (measure.mayBeZero) share("In ${measure.unit.symbol}.") else number("In ${measure.unit}."))

private fun figures(figure: JsonObject) = either(figure, named("By the value of the axis.", figure))

private val OF_AN_OPERATION =
    MEASURES.filterValues { it.ofOperations }.keys.joinToString("|", "^.+[.](", ")$") { it.replace(".", "[.]") }

private fun claim() = shape("Something an article says.", listOf("text", "published"), CLAIM_KINDS) {
    field("text", string("In your own words."))
    field("ratio", stringList("Two cells: the first divided by the second."))
    field("figure", string("One cell."))
    field(
        "published",
        either(number("The ratio or figure as printed."), choice("Of a ratio that was not printed.", TENDENCIES.keys)),
    )
    field(
        "tolerance",
        percentage("Holds when this near, from 0.1 % to 100 %; 10 % when left out."),
    )
    field(
        "measure",
        either(
            choice("What it speaks of, throughput when left out.", MEASURES.keys),
            formed("Of one operation, a step of a chain: create.throughput.", OF_AN_OPERATION),
        ),
    )
}

private fun list(description: String, items: JsonObject) =
    JsonObject(mapOf("type" to JsonPrimitive("array"), "description" to JsonPrimitive(description), "items" to items))

private fun either(vararg choices: JsonObject) = JsonObject(mapOf("anyOf" to JsonArray(choices.toList())))
