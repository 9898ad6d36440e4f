package bootdyno.model

import io.kotest.assertions.withClue
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class JsonPathTest {
    private val answer = """
        { "id": 12345678901234567890, "name": "Jörg \"J\"", "ok": true, "none": null, "half": 0.50,
          "_links": { "self-1": [ { "href": "/a" }, { "href": "/b" } ] }, "größe": 1 }
    """

    private fun find(path: String) = JsonPath.parse(path).shouldNotBeNull().find(jsonOf(answer).shouldNotBeNull())

    @Test
    fun `names and places lead to the text of a value, numbers as they were written`() {
        find("$.id") shouldBe "12345678901234567890"
        find("$.name") shouldBe "Jörg \"J\""
        find("$.ok") shouldBe "true"
        find("$.half") shouldBe "0.50"
        find("$._links.self-1[1].href") shouldBe "/b"
        find("$.größe") shouldBe "1"
        JsonPath.parse("$[1][0]").shouldNotBeNull().find(jsonOf("[0,[5]]").shouldNotBeNull()) shouldBe "5"
    }

    @Test
    fun `what is not there, null, an object or a list is no value`() {
        listOf(
            "$.nothing",
            "$.none",
            "$._links",
            "$._links.self-1",
            "$._links.self-1[2].href",
            "$.id.x",
            "$.id[0]",
            "$[0]",
        ).forEach {
            withClue(it) { find(it) shouldBe null }
        }
    }

    @Test
    fun `only names after dots and places in brackets are a way`() {
        val wrong = listOf(
            "$", "id", ".id", "$.", "$..id", "$.a[*]", "$.a[-1]", "$.a[1:2]", "$['a']", "$.a[?(@.b)]", "$.a b", "$.a[0",
            "$.a[12345678901]",
        )
        wrong.forEach { withClue(it) { JsonPath.parse(it) shouldBe null } }
    }

    @Test
    fun `what is no JSON is none`() {
        jsonOf("{ \"id\": ") shouldBe null
        jsonOf("") shouldBe null
    }
}
