package bootdyno.engine.netty

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.random.Random

class AnswerReaderFuzzTest {
    private fun read(pieces: List<ByteArray>): Triple<AnswerReader.State, Int, Boolean> {
        val reader = AnswerReader("hello".toByteArray(), TypeCheck("text/plain"))
        reader.begin(head = false)
        pieces.forEach { reader.read(it, 0, it.size) }
        reader.close()
        return Triple(reader.state, reader.status, reader.contentFits)
    }

    @Test
    fun `a damaged answer is read to some end, and to the same one in whatever pieces it comes`() {
        val random = Random(12)
        repeat(20_000) { turn ->
            val bytes = mutated(soundAnswers[turn % soundAnswers.size], random)
            withClue("turn $turn: ${String(bytes, Charsets.ISO_8859_1)}") {
                val whole = read(listOf(bytes))
                val pieces =
                    generateSequence(0) { it + 1 + random.nextInt(7) }.takeWhile { it < bytes.size }.toList() + bytes.size
                read(pieces.zipWithNext { from, to -> bytes.copyOfRange(from, to) }) shouldBe whole
            }
        }
    }
}
