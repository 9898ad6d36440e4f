package bootdyno.imports

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

private const val JWT = "eyJhbGciOiJIUzI1NiJ9.e30.x1y2z3"

/** Secrets of imported files are removed, or their requests are left out. */
class ImportedSecretsTest {
    private fun path(url: String): String = imported("GET $url").operations.single().path

    private fun secrets(url: String): Set<String> = imported("GET $url").secrets.keys

    private fun reason(request: String): String = imported("GET http://localhost/ok\n\n###\n$request").leftOut.single().reason

    @Test
    fun `secrets of an address are removed and named`() {
        path("http://me:hunter2@localhost/x") shouldBe "/x"
        secrets("http://me:hunter2@localhost/x") shouldBe setOf("user of the address")
        path("http://localhost/x;JSESSIONID=5B9C4F0E/y?a=1") shouldBe "/x/y?a=1"
        secrets("http://localhost/x;JSESSIONID=5B9C4F0E/y?a=1") shouldBe setOf("session in the path")
        path("http://localhost/x?a=1&state=$JWT&sig=abc&b=2") shouldBe "/x?a=1&b=2"
        secrets("http://localhost/x?a=1&state=$JWT&sig=abc&b=2") shouldBe setOf("query parameter state", "query parameter sig")
    }

    @Test
    fun `values below a segment with a secret name are secrets, words are not`() {
        listOf("/reset-token/8a7f", "/password/reset/Xy", "/apikeys/17", "/x/$JWT/y", "/tokens/5/owner").map {
            reason("GET http://localhost$it")
        }.distinct().shouldContainExactly("its path has a secret")
        path("http://localhost/password/reset") shouldBe "/password/reset"
        path("http://localhost/oauth/token?full=true") shouldBe "/oauth/token?full=true"
    }

    @Test
    fun `a request with a secret in its body is left out`() {
        reason("POST http://localhost/login\n\n{\"name\":\"me\",\"password\":\"hunter2\"}") shouldBe "its body has a secret"
        reason("POST http://localhost/x\n\n[\"$JWT\"]") shouldBe "its body has a secret"
        reason("POST http://localhost/x\n\ngrant_type=authorization_code&code=8a7f") shouldBe "its body has a secret"
        reason("POST http://localhost/x\nContent-Type: application/x-www-form-urlencoded\n\na=1&_csrf=81c9") shouldBe
            "its body has a CSRF token, which belongs to one session"
    }

    @Test
    fun `left out requests are shown without their secrets`() {
        val imported = imported(
            """
            GET http://localhost/ok

            ###
            GET https://me:hunter2@other.test/reset-token/8a7f3c?password=hunter2

            ###
            GET http://localhost/x/{{password}}/$JWT
            """.trimIndent(),
        )
        listOf("hunter2", "8a7f3c", "eyJhbGci").forEach { secret ->
            imported.toString() shouldNotContain secret
            imported.summary("x.http") shouldNotContain secret
        }
    }

    @Test
    fun `no secret of a recording is imported, however it is encoded or named`() {
        val imported = importedFixture("secrets.har")
        imported.toString() shouldNotContain "SECRET"
        imported.toString() shouldNotContain "U0VDUkVU"
        imported.summary("secrets.har") shouldNotContain "SECRET"
        imported.operations.map { it.path }.shouldContainExactly("/f2?x=1", "/f2b?x=1", "/f9", "/f10", "/f11", "/f12", "/ses2/x")
        imported.notes.single() shouldBe
            "Recorded values stay in the experiment: query parameters x. Check that none is a secret."
    }

    @Test
    fun `bodies with secrets in other forms are left out`() {
        listOf(
            """{"query":"mutation { login(password:\\"SECRET\\") }"}""",
            """{"fields":[{"name":"password","value":"SECRET"}]}""",
            """<user><password><![CDATA[SECRET]]></password></user>""",
            """<param name="password">SECRET</param>""",
            "%3Cpassword%3ESECRET%3C/password%3E",
            """{"card":{"cvv":"123"}}""",
            "{\"data\":\"{\\\"inner\\\":\\\"{\\\\\\\"token\\\\\\\":\\\\\\\"SECRET\\\\\\\"}\\\"}\"}",
            """{"a":"ghp_abcdefghijklmnopqrstuvwxyz"}""",
        ).map { reason("POST http://localhost/x\n\n$it") }.distinct().shouldContainExactly("its body has a secret")
    }

    @Test
    fun `harmless texts stay`() {
        val body = """{"item":"tea","keyword":"a=b","note":"pass the salt","pieces":2}"""
        imported(
            "POST http://localhost/x?keyword=a&sort=name:asc&next=/orders?page=2\nX-Tenant: acme\n\n$body",
        ).operations.single().let {
            it.body shouldBe body
            it.path shouldBe "/x?keyword=a&sort=name:asc&next=/orders?page=2"
            it.headers shouldBe mapOf("X-Tenant" to "acme")
        }
    }

    @Test
    fun `the code of a login and keys of vendors are removed from an address`() {
        path("http://localhost/cb?code=abc&state=x1&page=2") shouldBe "/cb?page=2"
        path("http://localhost/x?code=abc") shouldBe "/x?code=abc"
        path("http://localhost/map?key=AIzaSyD-123456789&q=a") shouldBe "/map?q=a"
        path("http://localhost/x;v=1;sid=abc/y") shouldBe "/x;v=1/y"
    }

    // 4111 1111 1111 1111 is the test number of payment providers; 4111 1111 1111 1112 fails the check of Luhn.
    @Test
    fun `e-mail addresses and card numbers are named`() {
        fun notes(body: String) = imported("POST http://localhost/x\n\n$body").notes
        notes("name=me@shop.test&card=4111+1111").first() shouldBe "Status 200 is expected where the file names none. " +
            "If an operation answers otherwise, set its `expect` in a file: --write-experiment FILE."
        notes("mail=me%40shop.test&card=4111111111111111").last() shouldBe
            "The requests contain e-mail addresses and card numbers: they are in the experiment."
        notes("card=4111111111111112").size shouldBe 1
    }
}
