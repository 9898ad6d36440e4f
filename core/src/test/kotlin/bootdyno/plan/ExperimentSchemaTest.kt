package bootdyno.plan

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.Test
import java.io.File

class ExperimentSchemaTest {
    private val schema = Json.parseToJsonElement(experimentSchema()).jsonObject

    @Test
    fun `the schema in the documentation is the one dyno prints`() {
        File("../docs/experiment.schema.json").readText() shouldBe experimentSchema()
    }

    @Test
    fun `the schema knows the keys the reader knows`() {
        keys(schema) shouldContainExactlyInAnyOrder EXPERIMENT_KEYS
        keys(at("source")) shouldContainExactlyInAnyOrder SOURCE_KEYS
        keys(at("limits")) shouldContainExactlyInAnyOrder LIMIT_KEYS
        keys(at("database").getValue("anyOf").jsonArray.last().jsonObject) shouldContainExactlyInAnyOrder DATABASE_KEYS
        keys(at("warm-up")) shouldContainExactlyInAnyOrder WARM_UP_KEYS
        keys(valuesOf("variants")) shouldContainExactlyInAnyOrder VARIANT_KEYS
        keys(valuesOf("services")) shouldContainExactlyInAnyOrder VARIANT_KEYS
        keys(valuesOf("workloads")) shouldContainExactlyInAnyOrder WORKLOAD_KEYS
        keys(field(valuesOf("workloads"), "chain").values()) shouldContainExactlyInAnyOrder STEP_KEYS
        keys(valuesOf("profiles")) shouldContainExactlyInAnyOrder PROFILE_KEYS
        keys(valuesOf("published")) shouldContainExactlyInAnyOrder MEASURES.keys
        keys(at("claims").getValue("items").jsonObject) shouldContainExactlyInAnyOrder CLAIM_KEYS
        keys(field(valuesOf("workloads"), "expect")) shouldContainExactlyInAnyOrder EXPECT_KEYS
        keys(field(valuesOf("variants"), "subject").getValue("anyOf").jsonArray.last().jsonObject) shouldContainExactlyInAnyOrder
            SUBJECT_KEYS
    }

    @Test
    fun `measures are called by their serial names`() {
        MEASURES.forEach { (name, measure) ->
            Json.encodeToString(bootdyno.model.Measure.serializer(), measure) shouldBe
                "\"$name\""
        }
    }

    private fun at(key: String) = field(schema, key)

    private fun field(shape: JsonObject, key: String) = shape.getValue("properties").jsonObject.getValue(key).jsonObject

    private fun valuesOf(key: String) = at(key).values()

    private fun JsonObject.values() = getValue("additionalProperties").jsonObject.getValue("anyOf").jsonArray.first().jsonObject

    private fun keys(shape: JsonObject) = shape.getValue("properties").jsonObject.keys
}
