package bootdyno.plan

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import java.util.Random

class WildcardTest {
    @ParameterizedTest
    @CsvSource(
        "*, tomcat/noop, true",
        "**, tomcat/noop, true",
        "tomcat*/noop, tomcat-virtual/noop, true",
        "*/noop, tomcat/noop, true",
        "*/noo, tomcat/noop, false",
        "tomcat/*, tomcat/, true",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXbYbZ, false",
        "a.c, abc, false",
        "a+=1, a+=1, true",
        "a, ab, false",
        "a*a, a, false",
    )
    fun `an asterisk matches any text, other characters match themselves`(pattern: String, text: String, expected: Boolean) {
        matches(pattern, text) shouldBe expected
    }

    @Test
    fun `it agrees with a regular expression on random short texts`() {
        val random = Random(12)
        fun word(letters: String) = (0 until random.nextInt(7)).map { letters[random.nextInt(letters.length)] }.joinToString("")
        repeat(5_000) {
            val pattern = word("ab*")
            val text = word("ab")
            matches(pattern, text) shouldBe Regex(pattern.replace("*", ".*")).matches(text)
        }
    }

    @Test
    @Timeout(10)
    fun `forty stars, or ten thousand, take no longer than a moment`() {
        matches("*a".repeat(40) + "b", "a".repeat(200)) shouldBe false
        matches("*".repeat(10_000) + "b", "a".repeat(10_000)) shouldBe false
        problems(SMALL, Overrides(only = listOf("*a".repeat(40) + "b"))).size shouldBe 1
    }
}
