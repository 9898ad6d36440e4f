package bootdyno.plan

import bootdyno.keys.LARGEST_YAML
import bootdyno.keys.readSubject
import bootdyno.yaml.Read
import bootdyno.yaml.textOf
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

class YamlReadingTest {
    class Bad(val name: String, val text: String, val problem: String) {
        override fun toString() = name
    }

    @ParameterizedTest
    @MethodSource("bad")
    @Timeout(20)
    fun `text that is no experiment gives one problem with its place`(bad: Bad) {
        val found = problems(bad.text)
        found.first() shouldStartWith bad.problem
        found.size shouldBe 1
    }

    @Test
    @Timeout(20)
    fun `a text above a limit is refused from every source`() {
        val large = "title: " + "x".repeat(LARGEST_YAML.count.toInt())
        problems("extends: base\n$SMALL").single() shouldContain "no experiment `base`"
        val extended = readPlan("mine.yaml", "extends: base", SUBJECTS, { large }, Overrides())
        line((extended as Read.Unsound).problems.first()) shouldBe "1:1 : the file is larger than 1 MiB (split the experiment)"
        problems(SMALL, Overrides(set = listOf("title=" + "[".repeat(100)))).single() shouldContain "nested more than 40 deep"
        problems(SMALL, Overrides(set = listOf("a.".repeat(50_000) + "b=1"))).single() shouldContain "has more than 50 parts"
        (readSubject("subject.yaml", large) { it } as Read.Unsound).problems.single().message shouldBe
            "the file is larger than 1 MiB"
    }

    @Test
    fun `files that extend each other in a circle or in a long row are refused`() {
        val circle = readPlan("a.yaml", "extends: b", SUBJECTS, { if (it == "b") "extends: ./c" else "extends: b" }, Overrides())
        line((circle as Read.Unsound).problems.first()) shouldContain "extends itself: b → ./c → b"
        val row = readPlan("a.yaml", "extends: x", SUBJECTS, { "extends: x$it" }, Overrides())
        (row as Read.Unsound).problems.map(::line).first { "extends" in it } shouldContain
            "more than 20 files extend each other in a row"
    }

    @Test
    fun `a byte order mark is passed over, and places count from the text`() {
        problems("\uFEFF$SMALL") shouldBe emptyList()
        problems("\uFEFF$SMALL\nrounds: x").single() shouldStartWith "9:9 rounds"
    }

    @Test
    fun `aliases and merge keys spare a file from saying the same twice`() {
        val plan = sound(
            """
            title: Merged
            variants:
              a: &a { subject: servlet, settings: { x: 1 } }
              b: { <<: *a, subject: reactive }
              c: { <<: [ *a ] }
            workloads: { noop: { get: /noop } }
            profiles: { p: { closed: 1 } }
            """,
        )
        plan.experiment.variants.map { "${it.name} ${it.subject} ${it.settings}" }
            .shouldContainExactly("a servlet {x=1}", "b reactive {x=1}", "c servlet {x=1}")
    }

    @Test
    fun `bytes are UTF-8 with or without a mark, and anything else is named`() {
        textOf("f", byteArrayOf(0xEF.toByte(), 0xBB.toByte(), 0xBF.toByte()) + "a: ü".toByteArray()) shouldBe
            Read.Sound("a: ü")
        fun problem(bytes: ByteArray) = line((textOf("f", bytes) as Read.Unsound).problems.single())
        problem("title: x".toByteArray(Charsets.UTF_16)) shouldStartWith "1:1 : the file is UTF-16 (save it as UTF-8"
        problem(byteArrayOf(-1, -2) + "a".toByteArray(Charsets.UTF_16LE)) shouldStartWith "1:1 : the file is UTF-16"
        problem("a: 1\nb: Jörg".toByteArray(Charsets.ISO_8859_1)) shouldBe
            "2:5 : this byte is not UTF-8 (save the file as UTF-8 text)"
        problem(byteArrayOf(0x7f, 'E'.code.toByte(), 0xC3.toByte())) shouldBe
            "1:3 : this byte is not UTF-8 (save the file as UTF-8 text)"
    }

    companion object {
        private val laughs = "a0: &a0 [ x, x, x, x, x, x, x, x, x, x ]\n" +
            (1..9).joinToString("\n") { n -> "a$n: &a$n [ ${List(10) { "*a${n - 1}" }.joinToString()} ]" }

        @JvmStatic
        fun bad() = listOf(
            Bad("a NUL", "title: a\u0000b", "1:9 : there is a NUL character here"),
            Bad("an escaped NUL", "title: \"a\\0b\"", "1:8 : has a NUL character in it"),
            Bad("a bell", "title: a\nname: \u0007", "2:7 : there is a control character here, U+0007"),
            Bad("a lone surrogate", "title: \uD800", "1:8 : there is a control character here, U+D800"),
            Bad("UTF-16 read as bytes", "t\u0000i\u0000t\u0000l\u0000e\u0000:\u0000", "1:2 : this looks like UTF-16"),
            Bad("only comments", "# one\n# two", "2:6 : the file is empty"),
            Bad("nothing", "", "1:1 : the file is empty"),
            Bad("a list", "- a\n- b", "1:1 : should be a map"),
            Bad("a scalar", "experiment", "1:1 : should be a map"),
            Bad("two documents", "title: a\n---\ntitle: b", "2:1 : a second document begins here"),
            Bad("a tab", "variants:\n\ta: 1", "2:1 : this is not YAML"),
            Bad("an unknown alias", "title: *none", "1:8 : *none names nothing above"),
            Bad("an alias in itself", "a: &a [ *a ]", "1:9 : *a stands inside of what it names"),
            Bad("a merge of a text", "a: { <<: x }", "1:6 : << takes a map"),
            Bad("a list as key", "? [ a ]\n: b", "1:3 : this is no key"),
            Bad("no key", ": b", "1:1 : this is not YAML"),
            Bad("a new version", "%YAML 9.9\n---\na: 1", "1:1 : this is not YAML"),
            Bad("deep lists", "a: " + "[".repeat(500_000), "1:44 : maps and lists are nested more than 40 deep"),
            Bad(
                "deep maps",
                (0..60).joinToString("\n") {
                    " ".repeat(it) + "a:"
                },
                "42:42 : maps and lists are nested more than 40 deep",
            ),
            Bad("a billion laughs", laughs, "5:11 : there are more than 20,000 keys and values"),
            Bad(
                "many keys",
                (1..50_000).joinToString("\n") {
                    "k$it: 1"
                },
                "10000:9 : there are more than 20,000 keys and values",
            ),
            Bad("52 MB", "title: " + "x".repeat(52_000_000), "1:1 : the file is larger than 1 MiB"),
        )
    }
}
