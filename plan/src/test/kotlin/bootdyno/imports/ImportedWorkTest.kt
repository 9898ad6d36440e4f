package bootdyno.imports

import io.kotest.assertions.withClue
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.lang.management.ManagementFactory
import java.lang.reflect.Modifier
import java.nio.file.Path
import java.util.Random
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** Work for twice the input: characters that expressions read, and bytes that importers allocate. No time is measured. */
private const val MOST_GROWTH = 2.5

class ImportedWorkTest {
    private class CountedText(private val text: String) : CharSequence {
        var reads = 0L

        override val length: Int get() = text.length

        override fun get(index: Int): Char = text[index].also { reads++ }

        override fun subSequence(startIndex: Int, endIndex: Int): CharSequence = text.substring(startIndex, endIndex)

        override fun toString(): String = text
    }

    /** The expressions of the package's files, by file and field. */
    private fun expressions(): Map<String, Regex> {
        val main = Path.of(Collected::class.java.protectionDomain.codeSource.location.toURI()).resolve("bootdyno/imports")
        return main.listDirectoryEntries("*.class").map { Class.forName("bootdyno.imports." + it.name.removeSuffix(".class")) }
            .flatMap { type -> type.declaredFields.filter { Modifier.isStatic(it.modifiers) && it.type == Regex::class.java } }
            .associate { field ->
                "${field.declaringClass.simpleName}.${field.name}" to
                    field.also { it.isAccessible = true }.get(null) as Regex
            }
    }

    private fun reads(regex: Regex, text: String): Long = CountedText(text).also { regex.findAll(it).count() }.reads

    @Test
    fun `no expression reads more than its share of a longer text`() {
        val units = listOf(
            " ", "a", "1", "%", "%41", "\\", "{", "{{", "{{ ", "}",
            "<", "<a ", "<a>", "\"", "csrf-", "password", "password ", "token=", "name=\"",
            "GET ", "GET /", "\"GET /", "/a ", "@", "a@", "4 ", "eyJ", ":", "a:",
            "a=\"", ";", ".status", ".status ",
            "\\u00", "&", "#", "\n", "HTTP/",
        )
        val texts = units + units.flatMap { one -> listOf(" ", "a", "\"", "=").map { one + it } }
        expressions().size shouldBeGreaterThan 30
        expressions().forEach { (name, regex) ->
            texts.forEach { unit ->
                withClue("$name on $unit…") {
                    val once = reads(regex, "x " + unit.repeat(1_500 / unit.length))
                    val twice = reads(regex, "x " + unit.repeat(3_000 / unit.length))
                    twice.toDouble() shouldBeLessThanOrEqualTo MOST_GROWTH * once + 1_000
                }
            }
        }
    }

    private fun allocated(text: String, options: ImportOptions = ImportOptions()): Double {
        val bytes = text.encodeToByteArray()
        val threads = ManagementFactory.getThreadMXBean() as com.sun.management.ThreadMXBean
        val before = threads.currentThreadAllocatedBytes
        readImport("file", bytes, options)
        return (threads.currentThreadAllocatedBytes - before).toDouble()
    }

    private fun bodies(random: Random) = listOf(
        { "csrf-".repeat(900) },
        { """{"p${random.nextInt(9)}":"{q}"}""" },
        { "{a}".repeat(random.nextInt(1_000)) },
        { "a=%7B&".repeat(random.nextInt(200)) },
        { "password".repeat(random.nextInt(200)) },
    )

    private fun json(text: String) = text.replace("\\", "\\\\").replace("\"", "\\\"")

    private fun har(n: Int, random: Random): String = (0 until n).joinToString(",", """{"log":{"entries":[""", "]}}") { at ->
        val body = bodies(random)[random.nextInt(5)]()
        """{"request":{"method":"POST","url":"http://localhost/o/$at?q=${random.nextInt(
            99,
        )}","headers":[{"name":"X-A","value":"$at"}],""" +
            """"postData":{"mimeType":"application/json","text":"${json(
                body,
            )}"}},"response":{"status":200,"content":{"text":"${"x".repeat(random.nextInt(900))}"}}}"""
    }

    private fun postman(n: Int, random: Random): String {
        val values = (0 until n).joinToString(",") { """{"key":"v$it","value":"{{v${it + 1}}}{{v${random.nextInt(n)}}}"}""" }
        return (0 until n).joinToString(",", """{"info":{},"variable":[$values],"item":[""", "]}") {
            """{"name":"r","request":{"method":"GET","url":"http://localhost/a$it?x={{v${random.nextInt(n)}}}"}}"""
        }
    }

    private fun http(n: Int, random: Random): String = (0 until n).joinToString("\n###\n") {
        val more =
            listOf(" ".repeat(3_000) + "y", "?q={{v${random.nextInt(n)}}}", "\nX-A: b\n\n${bodies(random)[random.nextInt(5)]()}")
        "@v$it = {{v${it + 1}}}{{v${random.nextInt(n)}}}\nGET http://localhost/x$it${more[random.nextInt(3)]}"
    }

    private fun openApi(n: Int, random: Random): String {
        val properties = (0 until n).joinToString(",") { """"p$it":{"type":"integer","default":$it}""" }
        val choices = (0 until n).joinToString(",") { at ->
            """"c$at":{"anyOf":[${List(3) {
                """{"${'$'}ref":"#/components/schemas/c${at + 1 + random.nextInt(2)}"}"""
            }.joinToString()}]}"""
        }
        return (0 until n).joinToString(",", """{"openapi":"3.1.0","paths":{""", "},") { at ->
            val schema = if (random.nextBoolean()) "all" else "c$at"
            """"/o$at":{"get":{"parameters":[{"in":"query","name":"q","required":true,"schema":{"${'$'}ref":"#/components/schemas/$schema"}}]}}"""
        } + """"components":{"schemas":{"all":{"properties":{$properties}},$choices,"c$n":{"type":"string"}}}}"""
    }

    private fun log(n: Int, random: Random): String = (0 until n).joinToString("\n") {
        val target = listOf(
            "/o/$it",
            "/o?q=$it&r=${random.nextInt(9)}",
            "/w$it/x;sid=$it",
            "/a%20${random.nextInt()}",
        )[random.nextInt(4)]
        """10.0.0.1 - - [x] "GET $target HTTP/1.1" 200 512 "-" "x""""
    }

    @Test
    fun `no importer allocates more than its share for a longer file`() {
        val importers = mapOf<String, (Int, Random) -> String>(
            "HAR" to ::har,
            "Postman" to ::postman,
            ".http" to ::http,
            "OpenAPI" to ::openApi,
            "access log" to ::log,
        )
        importers.forEach { (name, text) ->
            allocated(text(30, Random(1)))
            // With fewer, its values do not reach their limits.
            val size = if (name == "Postman") 300 else 150
            val once = text(size, Random(1))
            val twice = text(2 * size, Random(1))
            val growth = allocated(twice) / allocated(once)
            withClue("$name, ${once.length} and ${twice.length} characters") {
                growth shouldBeLessThanOrEqualTo MOST_GROWTH * twice.length / once.length / 2
            }
        }
    }

    @Test
    fun `a file that an OpenAPI document refers to is read once`() {
        fun allocatedFor(n: Int): Double {
            fun all(of: (Int) -> String) = (0 until n).joinToString(",") { """"/o$it":${of(it)}""" }
            val other =
                all { """{"get":{"parameters":[{"${'$'}ref":"#/p"}]}}""" } + ""","p":{"in":"query","name":"p","example":1}"""
            val paths = all { """{"${'$'}ref":"other.json#/~1o$it"}""" }
            return allocated("""{"openapi":"3.0.0","paths":{$paths}}""", ImportOptions(file = { "{$other}" }))
        }
        allocatedFor(50)
        allocatedFor(600) / allocatedFor(300) shouldBeLessThanOrEqualTo MOST_GROWTH
    }

    @Test
    fun `variables of variables are refused with the limit`() {
        val names = (0..6).joinToString("\n") { "@v$it = " + "{{v${it + 1}}}".repeat(20) } + "\n@v7 = aaaaaaaaaaaaaaaaaaaa\n"
        val imported = imported(names + "GET http://localhost/a\n\n###\nGET http://localhost/b?x={{v0}}")
        imported.operations.map { it.path } shouldBe listOf("/a")
        leftOut(imported) shouldContainKey "the values of its variables are longer than 64 KiB, or all together than 32 MiB"
    }

    // 3 choices in 14 levels are 4,782,969 ways to the same text without a value.
    @Test
    fun `nested choices of a schema are read once`() {
        val schemas = (0 until 14).joinToString(",") { at ->
            """"A$at":{"anyOf":[${List(3) { """{"${'$'}ref":"#/components/schemas/A${at + 1}"}""" }.joinToString()}]}"""
        }
        val document = """{"openapi":"3.0.0","paths":{"/e":{"get":{"parameters":[{"in":"query","name":"q","required":true,""" +
            """"schema":{"${'$'}ref":"#/components/schemas/A0"}}]}},"/ok":{"get":{}}},"components":{"schemas":{$schemas,"A14":{"type":"string"}}}}"""
        allocated(document) shouldBeLessThanOrEqualTo 50_000_000.0
        leftOut(imported(document)) shouldBe mapOf("its parameter q has no example, default or enum" to "GET /e")
    }

    @Test
    fun `a large HAR is read by its entries`() {
        val content = "x".repeat(1_000)
        val response = """{"status":200,"content":{"text":"$content"}}"""
        val entry = """{"request":{"method":"GET","url":"http://localhost/o","headers":[]},"response":$response}"""
        val large = List(1_500) { entry }.joinToString(",", """ {"x":[1,"]",{}],"log":{"version":"1.2","entries":[ """, " ]}}")
        lines(imported(large)) shouldBe listOf("o GET /o 200 ×1500")
        problemOf(read(large.dropLast(5))).message.startsWith("this is not JSON") shouldBe true
    }
}
