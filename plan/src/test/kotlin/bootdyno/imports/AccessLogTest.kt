package bootdyno.imports

import bootdyno.model.readCsv
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class AccessLogTest {
    private fun log(targets: List<String>, status: Int = 200): Imported =
        imported(targets.joinToString("\n") { """127.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "GET $it HTTP/1.1" $status 1""" })

    private fun column(imported: Imported, name: String): List<String> =
        readCsv(imported.data.orEmpty()).run { rows.map { it[columns.indexOf(name)] } }

    @Test
    fun `Tomcat's common log gives requests by frequency, with the status that was logged`() {
        val imported = importedFixture("tomcat-common.log")
        imported.kind shouldBe "access log"
        lines(imported).shouldContainExactlyInAnyOrder(
            "orders GET /orders 200 ×3",
            "ping GET /ping 204 ×1",
            "head-orders HEAD /orders 200 ×1",
            "basket GET /basket?full=true 200 ×1",
        )
        imported.operations.first().name shouldBe "orders"
        imported.secrets shouldBe mapOf("query parameter api_key" to 1, "session in the path" to 1)
        leftOut(imported).shouldContainExactly(
            mapOf(
                "no request in the line" to "127.0.0.1 - - [22/Nov/2026:10:00:05 +000",
                "only GET and HEAD are replayed, because a log has no bodies" to "POST /orders",
                "status 404" to "GET /nowhere",
                "monitoring" to "GET /shop/actuator/health",
                "its path has a secret" to "GET /password/reset/(hidden)",
            ),
        )
        imported.data shouldBe null
    }

    @Test
    fun `combined logs, JSON of Tomcat, Logback and the Elastic Common Schema are read`() {
        lines(importedFixture("combined.log")).shouldContainExactly("vets GET /vets?page=1 200 ×2")
        lines(importedFixture("tomcat-json.log")).shouldContainExactly(
            "orders GET /orders?page=1 200 ×2",
            "vets GET /vets?sort=name 200 ×1",
        )
        lines(importedFixture("ecs.log")).shouldContainExactly(
            "orders GET /orders 200 ×1",
            "vets GET /vets?page=2 200 ×1",
            "pets GET /pets?kind=cat 200 ×1",
        )
    }

    @Test
    fun `paths that differ in ids are one operation, whose values are as frequent as in the log`() {
        val imported = log(List(6) { "/orders/1" } + List(3) { "/orders/2" } + "/orders/3" + "/orders/4" + "/orders/new")
        lines(imported).shouldContainExactly("orders-id GET /orders/{orders-id} 200 ×11", "orders-new GET /orders/new 200 ×1")
        column(imported, "orders-id").groupingBy { it }.eachCount() shouldBe mapOf("1" to 6, "2" to 3, "3" to 1, "4" to 1)
    }

    @Test
    fun `values of a query are columns, and few different ones stay requests of their own`() {
        val imported = log((1..5).flatMap { page -> listOf("asc", "desc").map { "/orders?sort=$it&page=$page" } })
        lines(imported).shouldContainExactlyInAnyOrder(
            "orders GET /orders?sort=asc&page={page} 200 ×5",
            "orders-2 GET /orders?sort=desc&page={page-2} 200 ×5",
        )
        column(imported, "page").toSet() shouldBe setOf("1", "2", "3", "4", "5")
    }

    @Test
    fun `values are written decoded, because a placeholder encodes them again`() {
        val imported = log(listOf("a%20b", "c+d", "J%C3%B6rg", "100%25").map { "/search?q=$it" })
        lines(imported).shouldContainExactly("search GET /search?q={q} 200 ×4")
        column(imported, "q").shouldContainExactlyInAnyOrder("a b", "c d", "Jörg", "100%")
    }

    @Test
    fun `many different words in one place are values, as names of users, but not the parts of the application`() {
        val names = (0 until 30).map { "/users/" + "abcdefghijklmnopqrstuvwxyzABCD"[it] + "x/orders" }
        lines(log(names)).shouldContainExactly("users-id-orders GET /users/{users-id}/orders 200 ×30")
        log((0 until 30).map { "/part" + "abcdefghijklmnopqrstuvwxyzABCD"[it] }).data shouldBe null
    }

    @Test
    fun `two ids of one path stay together in a row`() {
        val imported = log((1..9).map { "/owners/$it/pets/${it * 10}" })
        lines(imported).shouldContainExactly("owners-id-pets-id GET /owners/{owners-id}/pets/{pets-id} 200 ×9")
        column(imported, "owners-id").zip(column(imported, "pets-id")).forEach { (owner, pet) -> pet shouldBe owner + "0" }
    }

    @Test
    fun `ids may have a word before them`() {
        val ids = (1..4).map { "/apps/demo-939c6e89-f548-4811-a21c-84802cb242a$it" }
        lines(log(ids)).shouldContainExactly("apps-id GET /apps/{apps-id} 200 ×4")
    }

    @Test
    fun `a log may have few lines with requests`() {
        val other = List(30) { "2026-01-15T10:11:12 lb haproxy[7]: Proxy be stopped (FE: 0 conns, BE: 2 conns)." }
        lines(imported((other + """lb haproxy[7]: 1.2.3.4:5 be/s1 0/0/1 200 9 "GET /orders HTTP/1.1"""").joinToString("\n")))
            .shouldContainExactly("orders GET /orders 200 ×1")
        problemOf(
            read("[2026-01-15 10:11:12.924][17][info] starting\n[2026-01-15 10:11:13.1][17][info] started"),
        ).message shouldBe "the format is unknown"
    }

    @Test
    fun `a path is not joined with one of another status, and broken encoding stays as it is`() {
        val imported = imported(
            ((1..5).map { "\"GET /x/$it HTTP/1.1\" 200" } + (1..5).map { "\"GET /x/$it HTTP/1.1\" 204" }).joinToString("\n"),
        )
        lines(imported).shouldContainExactly("x-id GET /x/{x-id} 200 ×5", "x-id-2 GET /x/{x-id-2} 204 ×5")
        leftOut(log(listOf("/good", "/100%"))).keys.single() shouldBe
            "its path has a % without two hexadecimal digits: write %25 for the sign itself"
    }

    @Test
    fun `values below a segment with a secret name never get into the data`() {
        val tokens = (1..9).map { "/reset-token/${it}f3a9c/confirm" } + (1..9).map { "/files/$it?auth=s3cr3t$it" }
        val imported = log(tokens)
        lines(imported).shouldContainExactly("files-id GET /files/{files-id} 200 ×9")
        imported.data.orEmpty() shouldNotContain "f3a9c"
        imported.toString() shouldNotContain "f3a9c"
        imported.toString() shouldNotContain "s3cr3t"
        leftOut(imported) shouldBe mapOf("its path has a secret" to "GET /reset-token/(hidden)/confirm")
    }

    @Test
    fun `a large log keeps its most frequent operations, and ratios as weights`() {
        val imported = log((1..40).flatMap { part -> List(part * 30) { "/part-${"x".repeat(part)}" } })
        imported.operations.size shouldBe MOST_OPERATIONS
        imported.operations.first().weight shouldBe 1200 * 10_000 / 24_600
        imported.leftOut.single().reason shouldBe "beyond the 30 most frequent operations, 6.7 % of the requests"
    }
}
