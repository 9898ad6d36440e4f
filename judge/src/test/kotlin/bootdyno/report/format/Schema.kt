package bootdyno.report.format

import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import kotlinx.serialization.json.Json
import java.nio.file.Files
import java.nio.file.Path

/** What `docs/report.schema.json`, or another [schema], refuses in [json]. */
internal fun schemaProblems(json: String, schema: String = Files.readString(Path.of("../docs/report.schema.json"))) =
    mutableListOf<ValidationError>().also { JsonSchema.fromDefinition(schema).validate(Json.parseToJsonElement(json), it::add) }
