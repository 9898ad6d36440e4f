package bootdyno.stats

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.random.Random

class CompactLettersTest {
    private fun letters(count: Int, vararg differing: Pair<Int, Int>) = compactLetters(count) { a, b -> (a to b) in differing }

    @Test
    fun `what cannot be told apart shares a letter`() {
        letters(0).shouldContainExactly()
        letters(3) shouldContainExactly listOf("a", "a", "a")
        letters(2, 0 to 1) shouldContainExactly listOf("a", "b")
        letters(3, 0 to 2) shouldContainExactly listOf("a", "ab", "b")
        letters(4, 0 to 2, 0 to 3, 1 to 3) shouldContainExactly listOf("a", "ab", "bc", "c")
    }

    // The second is noisy: nothing is shown of it. The third and fourth are equal, and both slower than the first.
    @Test
    fun `equal items beside a noisy one have the same letters`() {
        letters(4, 0 to 2, 0 to 3) shouldContainExactly listOf("a", "ab", "b", "b")
    }

    @Test
    fun `of any pairs, two items share a letter exactly if they do not differ`() {
        val random = Random(4)
        repeat(300) {
            val count = random.nextInt(1, 9)
            val differing = (0..<count).flatMap { one ->
                (one + 1..<count).map { one to it }
            }.filter { random.nextInt(3) == 0 }.toSet()
            val letters = compactLetters(count) { a, b -> (a to b) in differing }
            withClue("$count: $differing gives $letters") {
                for (one in 0..<count) {
                    for (other in one + 1..<count) {
                        letters[one].any { it in letters[other] } shouldBe ((one to other) !in differing)
                    }
                }
                val groups = letters.flatMap { it.toSet() }.distinct().map { letter ->
                    letters.indices.filter { letter in letters[it] }
                }
                groups.none { group -> groups.any { it !== group && it.containsAll(group) } } shouldBe true
            }
        }
    }
}
