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
}
