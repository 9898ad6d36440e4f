package bootdyno.system

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.io.FileNotFoundException
import java.io.IOException

class FailuresTest {
    @Test
    fun `only the named failures give null`() {
        nullOn(IOException::class) { 1 } shouldBe 1
        nullOn<Int>(IllegalArgumentException::class, IOException::class) { throw FileNotFoundException() } shouldBe null
        shouldThrow<IllegalStateException> { nullOn<Int>(IOException::class) { error("another") } }
    }
}
