package bootdyno.keys

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.io.File

class ExperimentSchemaTest {
    @Test
    fun `the schema in the documentation is the one that dyno schema prints`() {
        File("../docs/experiment.schema.json").readText() shouldBe experimentSchema()
    }

    @Test
    fun `the tables of keys in the documentation are those that dyno schema --tables writes`() {
        val text = File("../docs/experiment-keys.md").readText()
        text shouldBe withKeyTables(text)
    }
}
