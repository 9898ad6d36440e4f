package bootdyno.plan

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

private val PRETTY = Json { prettyPrint = true }
private val HEAD = mapOf(
    "\$schema" to JsonPrimitive("https://json-schema.org/draft/2020-12/schema"),
    "title" to JsonPrimitive("Boot Dyno experiment"),
)

/** The JSON Schema (draft 2020-12) of the experiment file, for editors. `readPlan` checks all of it and the references besides. */
fun experimentSchema(): String = PRETTY.encodeToString(JsonObject.serializer(), JsonObject(HEAD + ExperimentKeys.schema)) + "\n"
