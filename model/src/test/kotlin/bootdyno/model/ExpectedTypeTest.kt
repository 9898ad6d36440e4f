package bootdyno.model

import io.kotest.matchers.shouldBe
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class ExpectedTypeTest {
    @ParameterizedTest
    @CsvSource(
        "text/plain, Text/Plain, true",
        "text/plain, text/plain ;charset=UTF-8, true",
        "text/html; charset=UTF-8, text/html;charset=utf-8, true",
        "text/html;charset=UTF-8, ' text/html ; charset=UTF-8 ', true",
        "text/html;charset=UTF-8, text/html, false",
        "text/html;charset=UTF-8, text/html;charset=UTF-8;x=y, false",
        "text/plain, text/plainer, false",
        "text/plain, text, false",
        "application/vnd.x+json, application/vnd_x+json, false",
    )
    fun `blanks and case do not count, and parameters only where they are expected`(
        expected: String,
        found: String,
        fits: Boolean,
    ) {
        ExpectedType(expected).fits(found) shouldBe fits
    }
}
