package bootdyno.model

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class SecretsTest {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = [
            "-Dspring.datasource.password=x | -Dspring.datasource.password=(hidden)",
            "-Dspring.datasource.password=a b,c}d | -Dspring.datasource.password=(hidden)",
            "--db.password=x | --db.password=(hidden)",
            "DB_PASSWORD=x | DB_PASSWORD=(hidden)",
            "-Djavax.net.ssl.trustStorePassword=changeit | -Djavax.net.ssl.trustStorePassword=(hidden)",
            "--my.api-key=x | --my.api-key=(hidden)",
            "--my.apiKey=x | --my.apiKey=(hidden)",
            "--clients[0].secret=x | --clients[0].secret=(hidden)",
            "--oauth.client-credentials=x | --oauth.client-credentials=(hidden)",
            "--spring.datasource.url=jdbc:postgresql://me:pw@db:5432/x | --spring.datasource.url=jdbc:postgresql://me:(hidden)@db:5432/x",
            "jdbc:postgresql://db/x?user=me&password=pw&ssl=true | jdbc:postgresql://db/x?user=me&password=(hidden)&ssl=true",
            "redis://:p@ss@cache:6379 | redis://:(hidden)@cache:6379",
            """{"db":{"password":"x","pool":5}} | {"db":{"password":"(hidden)","pool":5}}""",
            "http://127.0.0.1:8080/a@b | http://127.0.0.1:8080/a@b",
            "http://127.0.0.1:8080?mail=a@b | http://127.0.0.1:8080?mail=a@b",
            "-Xmx512m | -Xmx512m",
            "--server.tomcat.threads.max=200 | --server.tomcat.threads.max=200",
            "--csrf.token.enabled=true | --csrf.token.enabled=true",
            "http://me:pw@127.0.0.1:8080/x?password=pw2&size=5&token=t | http://me:(hidden)@127.0.0.1:8080/x?password=(hidden)&size=5&token=(hidden)",
            "/login?pw=abc&sid=1 | /login?pw=(hidden)&sid=(hidden)",
            "jdbc:oracle:thin:scott/tiger@//db:1521/x | jdbc:oracle:thin:scott/(hidden)@//db:1521/x",
            "jdbc:sqlserver://db;user=sa;password=a,b;encrypt=true | jdbc:sqlserver://db;user=sa;password=(hidden);encrypt=true",
            "--server.servlet.session.timeout=30m | --server.servlet.session.timeout=30m",
            "DB_PASS=x | DB_PASS=(hidden)",
            "--compass.size=3 | --compass.size=3",
            "username={user}&password={password}&_csrf={csrf} | username={user}&password={password}&_csrf={csrf}",
            """{"password":"{password}"} | {"password":"{password}"}""",
            "Authorization: Bearer {token} | Authorization: Bearer {token}",
            "password={a}b&token=x | password=(hidden)",
        ],
    )
    fun `a word of a command line`(word: String, expected: String) {
        redactCommandLine(listOf(word)) shouldBe listOf(expected)
    }

    @Test
    fun `a secret that is a word of its own is hidden by the flag before it`() {
        redactCommandLine(listOf("run", "--password", "x", "--token", "--verbose", "y")) shouldBe
            listOf("run", "--password", HIDDEN, "--token", "--verbose", "y")
    }

    @Test
    fun `settings are judged by their key, and by what is inside`() {
        redactSettings(
            mapOf("a.password" to "x y", "a.url" to "http://me:pw@h", "a.size" to "5", "a.token.on" to "false"),
        ) shouldBe
            mapOf("a.password" to HIDDEN, "a.url" to "http://me:(hidden)@h", "a.size" to "5", "a.token.on" to "false")
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = [
            "password: a, b } c | password: (hidden)",
            "  - db-password: 'it''s' | - db-password: '(hidden)'",
            """api_key: "a\"b" | api_key: "(hidden)"""",
            "settings: { spring.datasource.password: x, pool: 5 } | settings: { spring.datasource.password: (hidden), pool: 5 }",
            "url: postgres://me:pw@h/d | url: postgres://me:(hidden)@h/d",
            "title: Waiting 500 ms | title: Waiting 500 ms",
            "get: /token/42 | get: /token/42",
            "password: (hidden) | password: (hidden)",
        ],
    )
    fun `a line of an experiment file`(line: String, expected: String) {
        redactText(line).trim() shouldBe expected
        redactText(redactText(line)).trim() shouldBe expected
    }

    @Test
    fun `a secret hides its own line of YAML and no other`() {
        redactText("a:\n  password: x\n  size: 5\n  token:\n    size: 6\n") shouldBe
            "a:\n  password: (hidden)\n  size: 5\n  token:\n    size: 6\n"
    }

    @ParameterizedTest
    @CsvSource(
        "X-Session",
        "x-session-key",
        "X-Auth",
        "X-Auth-User",
        "Cookie",
        "Set-Cookie",
        "Authorization",
        "Proxy-Authorization",
        "X-Api-Key",
        "X-Access-Token",
        "X-CSRF-Token",
    )
    fun `headers that identify somebody are hidden in maps, in log lines and in the middle of a line`(header: String) {
        redactSettings(mapOf(header to "Abc d1=e; f=g"))[header] shouldBe HIDDEN
        redactText("$header: Abc d1=e; f=g") shouldBe "$header: $HIDDEN"
        redactText("sent '$header: abc1' to it") shouldBe "sent '$header: $HIDDEN' to it"
        redactText("""{"$header": "a \" b"}""") shouldBe """{"$header": "$HIDDEN"}"""
        redactText("> $header: abc1").contains("abc1") shouldBe false
    }

    @Test
    fun `a credential after its scheme is hidden, and a sentence is not`() {
        redactText("401 for Bearer eyJhbGciOi.x.y and Basic bWU6cHc=") shouldBe "401 for Bearer $HIDDEN and Basic $HIDDEN"
        redactText("curl -H 'Authorization: Bearer a1b2c3' http://h") shouldBe "curl -H 'Authorization: $HIDDEN' http://h"
        redactText("sent Cookie: a=b; c=d") shouldBe "sent Cookie: $HIDDEN"
        redactText("basic settings, a bearer of news") shouldBe "basic settings, a bearer of news"
        redactText("variants: { a: { headers: { Authorization: $HIDDEN, Accept: x } } }") shouldBe
            "variants: { a: { headers: { Authorization: $HIDDEN, Accept: x } } }"
    }

    @Test
    @Timeout(20)
    fun `a line of many kilobytes takes one pass`() {
        redactText("a".repeat(300_000) + " password=x") shouldEndWith " password=$HIDDEN"
        redactText("password: \"" + "\\\"".repeat(100_000) + "\" x") shouldBe "password: \"$HIDDEN\" x"
        redactText("token".repeat(30_000)).length shouldBe 150_000
        redactText("://a:".repeat(30_000)).length shouldBe 150_000
    }

    @Test
    fun `the secrets of a text are the values that are hidden in it`() {
        secretsIn("user=Ann&password=p%40s&x=1") shouldBe setOf("p%40s")
        secretsIn("""{ "token": "abc", "dry": true }""") shouldBe setOf("abc")
        secretsIn("Authorization: Bearer abc123") shouldBe setOf("abc123")
        secretsIn("postgres://me:pw@host/ and password=true") shouldBe setOf("pw")
        secretsIn("nothing here") shouldBe emptySet()
    }
}
