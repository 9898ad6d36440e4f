package bootdyno.occupancy

import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class PrefixesTest {
    @Test
    fun `a name that begins with a word is found, also where one word begins with another`() {
        val words = Prefixes("a.b. a.b.c a.bd org.springframework.")
        val names =
            listOf("a.b.x", "a.b.c", "a.b.cd.E", "a.bd", "org.springframework.web.X", "a", "a.b", "a.bc", "a.c", "", "org.z")
        names.filter { it in words }.shouldContainExactly("a.b.x", "a.b.c", "a.b.cd.E", "a.bd", "org.springframework.web.X")
    }
}
