package bootdyno.imports

import bootdyno.flags.JarQuestion
import bootdyno.flags.experimentOfJar
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.plan.FoundData
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.planText
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import com.sun.management.ThreadMXBean
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.lang.management.ManagementFactory
import kotlin.random.Random

/** Mutations of every kind of file that can be imported, the same ones each time. */
class FuzzedImportTest {
    private val app = Subject("app", Origin.Jar("/home/me/shop.jar"))

    /** Of each file. By hand: `./build -pl plan -am -Dtest=FuzzedImportTest -Dsurefire.failIfNoSpecifiedTests=false -Dmutations=2000`. */
    private val mutations = Integer.getInteger("mutations", 40)

    @ParameterizedTest
    @ValueSource(
        strings = [
            "chrome.har", "collection.postman.json", "combined.log", "ecs.log", "firefox.har", "intellij.http", "secrets.har",
            "springdoc.json", "springdoc.yaml", "tomcat-common.log", "tomcat-json.log", "vscode.http",
        ],
    )
    fun `whatever is damaged, a file is imported as a plan that its own text gives again, or refused in a sentence`(
        name: String,
    ) {
        val sound = checkNotNull(fixture(name)).encodeToByteArray()
        repeat(mutations) { seed ->
            val random = Random(seed)
            val bytes = (0..seed % 3).fold(sound) { file, _ -> damaged(file, random) }
            try {
                when (val read = readImport(name, bytes, ImportOptions(file = ::fixture))) {
                    is Read.Sound -> readBack(read.value)
                    is Read.Unsound -> read.problems.forEach { check('\n' !in it.message) { "more than a sentence: $it" } }
                }
            } catch (crash: Throwable) {
                throw AssertionError("$name, seed $seed", crash)
            }
        }
    }

    private fun readBack(imported: Imported) {
        val surroundings =
            Surroundings(data = { name -> imported.data?.takeIf { name == "/data.csv" }?.let { FoundData(name, it) } })
        val question = JarQuestion(app, emptyList(), workload = imported.workload("file", "/data.csv"))
        val plan = (experimentOfJar(question, surroundings, Overrides()) as Read.Sound).value
        (readPlan("shop.yaml", planText(plan), surroundings) as Read.Sound).value shouldBe plan
    }

    private fun damaged(file: ByteArray, random: Random): ByteArray {
        if (file.size < 4) return file
        val at = random.nextInt(file.size)
        val to = minOf(file.size, at + 1 + random.nextInt(200))
        val (before, part, after) = Triple(file.copyOf(at), file.copyOfRange(at, to), file.copyOfRange(to, file.size))
        return when (random.nextInt(6)) {
            0 -> before + after
            1 -> before + part + part + after
            2 -> before
            3 -> file.copyOf().also { it[at] = random.nextInt(256).toByte() }
            4 -> before + ODD.random(random).encodeToByteArray() + part + after
            else -> after + before
        }
    }

    /** Counted, not timed. */
    @Test
    fun `twice the input allocates hardly more than twice the bytes`() {
        GROWING.forEach { (kind, text) ->
            withClue(kind) {
                // The first run loads classes.
                allocated(text(200))
                allocated(text(4_000)) / allocated(text(2_000)) shouldBeLessThan 2.5
            }
        }
    }

    private fun allocated(text: String): Double {
        val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
        val bytes = text.encodeToByteArray()
        val before = threads.currentThreadAllocatedBytes
        (readImport("file", bytes) as Read.Sound).value.operations.shouldNotBeEmpty()
        return (threads.currentThreadAllocatedBytes - before).toDouble()
    }

    private companion object {
        val ODD = listOf(
            "{{a}}", "{{\$randomInt}}", "\"\$ref\": \"#/paths\",", "[[[[[[", "}", "\"", "%", "%zz", "\\x", "\\u00", "\u2028", "ü",
            "../../etc/passwd", "< /etc/passwd", "-1", "1e999", "99999999999999999999", "null", "true", "\t", "\n\n", "###",
            "HTTP/1.1 200", "http://", "//", "?", "&&&=", ";", "*alias", "&anchor",
        )

        private fun joined(number: Int, separator: String, each: (Int) -> String) =
            (1..number).joinToString(separator, transform = each)

        val GROWING: Map<String, (Int) -> String> = mapOf(
            "access log" to { n ->
                joined(n, "\n") { "127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] \"GET /orders/$it?q=a%20b HTTP/1.1\" 200 2" }
            },
            "access log in JSON" to { n -> joined(n, "\n") { """{"method":"GET","path":"/orders/$it","status":200}""" } },
            "HAR" to { n ->
                val entries = joined(n, ",") {
                    """{"request":{"method":"POST","url":"http://localhost:8080/orders/$it",
                    "headers":[{"name":"Accept","value":"*/*"}],"postData":{"mimeType":"application/json","text":"{\"item\":$it}"}},"response":{"status":201}}"""
                }
                """{"log":{"entries":[$entries]}}"""
            },
            ".http" to { n ->
                joined(n, "\n###\n") {
                    "@id$it = $it\nPOST http://localhost:8080/orders/{{id$it}}\nAccept: */*\n\n{ \"item\": $it }\n"
                }
            },
            ".http in several parts" to { n ->
                val parts = joined(n, "") { "--b\nContent-Disposition: form-data; name=\"a$it\"\n\nx\n" }
                "GET http://localhost/\n\n###\nPOST http://localhost/\n" +
                    "Content-Type: multipart/form-data; boundary=b\n\n$parts--b--"
            },
            "access log between commas" to { n -> joined(n, "\n") { "GET,/orders?ids=$it,7,200,5" } },
            "Postman" to { n ->
                val items = joined(n, ",") {
                    """{"name":"$it","request":{"method":"GET","url":{"raw":"{{base}}/orders/$it?a=b"},"header":[]}}"""
                }
                """{"info":{"name":"shop"},"variable":[{"key":"base","value":"http://localhost:8080"}],"item":[$items]}"""
            },
            "OpenAPI" to { n ->
                val paths = joined(n, ",") {
                    """"/orders$it/{id}":{"get":{
                    "parameters":[{"name":"id","in":"path","schema":{"${'$'}ref":"#/components/schemas/Id"}}],"responses":{"200":{"description":"ok"}}}}"""
                }
                """{"openapi":"3.0.1","paths":{$paths},"components":{"schemas":{"Id":{"type":"integer","example":7}}}}"""
            },
        )
    }
}
