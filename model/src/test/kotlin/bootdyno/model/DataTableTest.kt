package bootdyno.model

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DataTableTest {
    @Test
    fun `the first line names the columns, and every other is a row`() {
        val read = readCsv("name, age\nAnn,7\nJörg,\n")
        read.columns shouldContainExactly listOf("name", "age")
        read.rows shouldContainExactly listOf(listOf("Ann", "7"), listOf("Jörg", ""))
    }

    @Test
    fun `quotes hold commas, quotes and line breaks`() {
        readCsv("a,b\r\n\"x, y\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",\"\"").rows shouldContainExactly
            listOf(listOf("x, y", "say \"hi\""), listOf("two\nlines", ""))
    }

    @Test
    fun `a byte order mark, empty lines and any line end are no part of the values`() {
        readCsv("\uFEFF\na\r1\r\r\n2\n\n").rows shouldContainExactly listOf(listOf("1"), listOf("2"))
        readCsv("a\n 1 \n").rows shouldContainExactly listOf(listOf(" 1 "))
    }

    @Test
    fun `after the last row comes the first again`() {
        val read = readCsv("n\n0\n1\n2")
        (0L..6L).map { read.row(it).single() } shouldContainExactly listOf("0", "1", "2", "0", "1", "2", "0")
        read.row(3_000_000_000_001).single() shouldBe "1"
    }

    @Test
    fun `an error contains its line number`() {
        class Case(val text: String, val line: Int, val reason: String)
        listOf(
            Case("", 1, "is empty: its first line should name the columns"),
            Case("\n\n", 1, "is empty: its first line should name the columns"),
            Case("a,b\n", 1, "has no row below the line that names the columns"),
            Case("a,b\n1,2\n\n3\n", 4, "has 1 values for 2 columns"),
            Case("a,b\n\"x\ny\",2\n3,4,5", 4, "has 3 values for 2 columns"),
            Case("a,,c\n1,2,3", 1, "has a column without a name"),
            Case("a,b, a\n1,2,3", 1, "names the column `a` twice"),
            Case("a\n\"x\"y", 2, "is no CSV: Unexpected character after closing quote: 'y' (0x79)"),
            Case("a\n1\n\"x\n\n", 3, "is no CSV: Unclosed quoted field at end of input"),
        ).forEach {
            withClue(it.text) {
                shouldThrow<BrokenCsv> { readCsv(it.text) }.message shouldBe "line ${it.line} ${it.reason}"
            }
        }
    }
}
