package bootdyno.yaml

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class SuggestionTest {
    @Test
    fun `distance counts inserts, deletes, replacements and swapped neighbours`() {
        distance("tomcat", "tomcat") shouldBe 0
        distance("tomcta", "tomcat") shouldBe 1
        distance("tomct", "tomcat") shouldBe 1
        distance("kitten", "sitting") shouldBe 3
        distance("", "abc") shouldBe 3
    }

    @Test
    fun `only near words are suggested, otherwise the known ones are listed`() {
        suggestion("memry", listOf("cpus", "memory")) shouldBe "did you mean `memory`?"
        suggestion("Memory", listOf("cpus", "memory")) shouldBe "did you mean `memory`?"
        suggestion("colour", listOf("cpus", "memory"), "keys") shouldBe "keys: cpus, memory"
        suggestion("x", emptyList()) shouldBe null
    }
}
