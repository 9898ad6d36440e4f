package bootdyno.imports

import bootdyno.yaml.Read
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** Formats of access logs, as the documentation of each server shows them. */
class LogFormatsTest {
    private fun requests(vararg lines: String): List<String> = imported(lines.joinToString("\n")).also {
        it.kind shouldBe "access log"
    }.operations.map { "${it.method} ${it.path} ${it.status}" }

    private fun both(name: String, vararg lines: String) = withClue(name) {
        requests(*lines) shouldBe listOf("GET /orders/7 200", "GET /orders?page=2 204")
    }

    @Test
    fun `patterns of Spring Boot's servers are read, with their fields in any order`() {
        both(
            "Spring Boot's reference: %t %a %r %s (%D microseconds)",
            "[15/Jan/2026:10:11:12 +0000] 10.0.0.7 GET /orders/7 HTTP/1.1 200 (1834 microseconds)",
            "[15/Jan/2026:10:11:13 +0000] 10.0.0.7 GET /orders?page=2 HTTP/1.1 204 (204 microseconds)",
        )
        both(
            "%t %a \"%r\" %s",
            "[15/Jan] 1.2.3.4 \"GET /orders/7 HTTP/1.1\" 200 512",
            "[15/Jan] ::1 \"GET /orders?page=2 HTTP/2.0\" 204 -",
        )
        both(
            "fields between bars",
            "2026-01-15 10:11:12.7|192.0.2.1|\"GET /orders/7 HTTP/1.1\"|200|\"curl/8 (x)\"",
            "2026-01-15 10:11:13.7|192.0.2.1|\"GET /orders?page=2 HTTP/1.1\"|204|\"curl/8 (x)\"",
        )
        both("fields between bars only", "GET|/orders/7|200|12", "GET|/orders?page=2|204|9")
        both("CSV", "2026-01-15,10.0.0.7,GET,/orders/7,200,12", "2026-01-15,10.0.0.7,GET,/orders?page=2,204,9")
        both(
            "Squid as an accelerator",
            "1768471872.461 138 192.0.2.1 TCP_MISS/200 3853 GET http://shop/orders/7 - DIRECT/10.0.0.1 text/html",
            "1768471873.461 138 192.0.2.1 TCP_HIT/204 0 GET http://shop/orders?page=2 - NONE/- -",
        )
        both("%h %m %U%q %s %D", "192.0.2.1 GET /orders/7 200 12", "192.0.2.1 GET /orders?page=2 204 404")
        both("%s %D %m %U%q", "200 12 GET /orders/7", "204 7 GET /orders?page=2")
        both("%U%q %m %s", "/orders/7 GET 200", "/orders?page=2 GET 204")
        both(
            "status behind the time",
            "h \"GET /orders/7 HTTP/1.1\" 5 200 9",
            "h \"GET /orders?page=2 HTTP/1.1\" 301 204 9",
            "h \"GET /orders/7 HTTP/1.1\" 7 200 9",
        )
        both(
            "status behind browsers of several words, before milliseconds",
            "h \"GET /orders/7 HTTP/1.1\" \"curl/8 (x y)\" 200 12",
            "h \"GET /orders?page=2 HTTP/1.1\" \"Wget 1.2\" 204 301",
            "h \"GET /orders/7 HTTP/1.1\" \"curl/8 (x y)\" 200 9",
        )
        both(
            "gin",
            "[GIN] 2026/01/15 - 10:11:12 | 200 |  1.2ms | 192.0.2.1 | GET      \"/orders/7\"",
            "[GIN] 2026/01/15 - 10:11:13 | 204 | 9ms | ::1 | GET  \"/orders?page=2\"",
        )
        both(
            "morgan and Werkzeug with colours",
            "\u001b[0mGET /orders/7 \u001b[32m200\u001b[0m 1.8 ms - 15\u001b[0m",
            "127.0.0.1 - - [15/Jan/2026 10:11:12] \"\u001b[36mGET /orders?page=2 HTTP/1.1\u001b[0m\" 204 -",
        )
        both("Ktor", "INFO app - 200 OK: GET - /orders/7 in 12ms", "INFO app - 204 No Content: GET - /orders?page=2 in 9ms")
    }

    @Test
    fun `text of proxies and load balancers is read`() {
        both(
            "AWS ALB",
            "http 2026-01-15T10:11:12.66Z app/shop/01 192.0.2.10:44740 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 \"GET http://shop:80/orders/7 HTTP/1.1\" \"curl/8\" - - arn:x \"Root=1-5\" \"-\" \"-\" 0 2026-01-15T10:11:12.36Z \"forward\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\"",
            "h2 2026-01-15T10:11:12.66Z app/shop/01 192.0.2.10:44740 - -1 -1 -1 204 - 34 366 \"GET https://shop:443/orders?page=2 HTTP/2.0\" \"curl/8\" - - arn:x \"Root=1-5\" \"-\" \"-\" 0 2026-01-15T10:11:12.36Z \"fixed-response\" \"-\" \"-\" \"-\" \"-\" \"-\" \"-\"",
        )
        both(
            "HAProxy",
            "Jan 15 10:11:12 lb haproxy[7]: 192.0.2.1:33317 [15/Jan/2026:10:11:12.655] fe be/s1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a|b c} {} \"GET /orders/7 HTTP/1.1\"",
            "Jan 15 10:11:12 lb haproxy[7]: 192.0.2.1:33317 [15/Jan/2026:10:11:12.655] fe be/s1 10/0/30/69/109 204 0 - - ---- 1/1/1/1/0 0/0 {a|b c} {} \"GET /orders?page=2 HTTP/1.1\"",
        )
        both(
            "Envoy's and Istio's default",
            "[2026-01-15T10:11:12.310Z] \"GET /orders/7 HTTP/2\" 200 - via_upstream - \"-\" 0 3 5 4 \"-\" \"curl\" \"id\" \"shop\" \"10.0.0.1:80\"",
            "[2026-01-15T10:11:13.310Z] \"GET /orders?page=2 HTTP/1.1\" 204 - via_upstream - \"-\" 0 3 5 4 \"-\" \"curl\" \"id\" \"shop\" \"10.0.0.1:80\"",
        )
        both(
            "W3C of IIS",
            "#Software: IIS",
            "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs(User-Agent) sc-status",
            "2026-01-15 10:11:12 10.0.0.1 GET /orders/7 - 80 curl/8 200",
            "2026-01-15 10:11:12 10.0.0.1 GET /orders page=2 80 curl/8 204",
        )
        both(
            "W3C of Tomcat",
            "#Fields: date time c-ip cs-method cs-uri cs(User-Agent) cs(Referer) sc-status time-taken",
            "2026-01-15 10:11:12 10.0.0.1 GET /orders/7 \"Mozilla (X11; 404 \"\"a\"\" b)\" - 200 0.1",
            "2026-01-15 10:11:12 10.0.0.1 GET /orders?page=2 \"curl\" \"http://x y\" 204 0.1",
        )
        both(
            "CloudFront",
            "#Version: 1.0",
            "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs-uri-query",
            "2026-01-15\t10:11\tFRA2\t392\t192.0.2.1\tGET\td1\t/orders/7\t200\t-",
            "2026-01-15\t10:11\tFRA2\t392\t192.0.2.1\tGET\td1\t/orders\t204\tpage=2",
        )
        both(
            "logfmt of Heroku",
            "at=info method=GET path=\"/orders/7\" host=x fwd=\"1.2.3.4\" service=200ms status=200 bytes=1",
            "at=info method=GET path=\"/orders?page=2\" host=x service=9ms status=204 bytes=1",
        )
        both("LTSV", "time:1\tmethod:GET\turi:/orders/7\tstatus:200", "time:1\tmethod:GET\turi:/orders?page=2\tstatus:204")
    }

    @Test
    fun `JSON of proxies, load balancers and containers is read`() {
        fun json(name: String, template: String) = both(
            name,
            template.replace("<Q>", "").replace("<P>", "/orders/7").replace("<S>", "200"),
            template.replace(
                "<P>?<Q>",
                "/orders?page=2",
            ).replace("<P>", "/orders?page=2").replace("<Q>", "page=2").replace("<S>", "204"),
        )
        json(
            "Istio",
            """{"method":"GET","path":"<P>","protocol":"HTTP/1.1","response_code":<S>,"upstream_cluster":"x","authority":"shop"}""",
        )
        json(
            "Traefik",
            """{"RequestMethod":"GET","RequestPath":"<P>","DownstreamStatus":<S>,"OriginStatus":500,"StartUTC":"x"}""",
        )
        json(
            "Caddy",
            """{"logger":"http.log.access","request":{"method":"GET","host":"x","uri":"<P>"},"duration":200,"status":<S>}""",
        )
        json(
            "Google Cloud",
            """{"httpRequest":{"requestMethod":"GET","requestUrl":"https://shop.test<P>","status":<S>,"referer":"http://x/"},"severity":"INFO"}""",
        )
        json(
            "Azure",
            """{"properties":{"httpMethod":"GET","requestUri":"<P>","requestQuery":"<Q>","httpStatus":<S>,"serverStatus":"200"}}""",
        )
        json("Spring's HttpStatusCode", """{"method":"GET","uri":"<P>","status":"<S> OK"}""")
        json("API Gateway", """{"requestId":"1","httpMethod":"GET","path":"<P>","status":"<S>"}""")
        json(
            "Cloudflare",
            """{"ClientRequestMethod":"GET","ClientRequestURI":"<P>","EdgeResponseStatus":<S>,"OriginResponseStatus":0}""",
        )
        json(
            "OpenTelemetry",
            """{"http.request.method":"GET","url.path":"<P>","url.query":"<Q>","http.response.status_code":<S>}""",
        )
        json("pino", """{"req":{"method":"GET","url":"<P>"},"res":{"statusCode":<S>},"responseTime":200}""")
        json("Docker's json-file", """{"log":"192.0.2.1 - - [15/Jan/2026] \"GET <P> HTTP/1.1\" <S> 512\n","stream":"stdout"}""")
        json(
            "JSON in Docker's json-file",
            """{"log":"{\"method\":\"GET\",\"uri\":\"<P>\",\"status\":<S>}\n","stream":"stdout"}""",
        )
        json("docker compose logs", """web-1  | {"method":"GET","uri":"<P>","status":<S>}""")
        json("CRI", """2026-01-15T10:11:12.1Z stdout F {"method":"GET","uri":"<P>","status":<S>}""")
        requests(
            """[{"method":"GET","path":"/orders/7","status":200},""",
            """{"method":"GET","path":"/orders","status":200}]""",
        ) shouldBe listOf("GET /orders 200", "GET /orders/7 200")
    }

    @Test
    fun `prefixes of docker compose logs do no harm`() {
        both(
            "compose",
            "web-1  | 192.0.2.1 - - [15/Jan/2026] \"GET /orders/7 HTTP/1.1\" 200 5",
            "web-1  | started",
            "web-1  | ::1 - - [15/Jan/2026] \"GET /orders?page=2 HTTP/1.1\" 204 5",
        )
    }

    @Test
    fun `where no field fits, those that were seen are named`() {
        problemOf(
            read("""{"method":"GET","path":"/a","rc":"ok"}""" + "\n" + """{"method":"GET","path":"/b","rc":"ok"}"""),
        ).message shouldBe "the access log has no status among its fields: method, path, rc"
        problemOf(read("#Fields: date cs-method sc-status\n2026-01-15 GET 200")).message shouldBe
            "the access log has no path among its fields: date, cs-method, sc-status"
    }

    @Test
    fun `bytes that are not UTF-8 or that nginx escapes are sent as they came`() {
        val nginx = """192.0.2.1 - - [15/Jan/2026] "GET /caf\xC3\xA9/men\x22u?q=a\x20b HTTP/1.1" 200 512"""
        requests(nginx) shouldBe listOf("GET /caf%C3%A9/men%22u?q=a%20b 200")
        val latin = "\"GET /caf\u00e9 HTTP/1.1\" 200 1\n\"GET /ok HTTP/1.1\" 200 1 \"J\u00f6rg\"".toByteArray(Charsets.ISO_8859_1)
        (readImport("file", latin) as Read.Sound).value.operations.map { it.path } shouldBe listOf("/caf%E9", "/ok")
        requests("\"GET /sök?q=ö HTTP/1.1\" 200 1") shouldBe listOf("GET /s%C3%B6k?q=%C3%B6 200")
    }

    @Test
    fun `a path between commas may have commas itself`() {
        val lines = listOf("/orders/7,200", "/orders?ids=1,2,3,200", "/a,b,204").map { "2026-01-15,10.0.0.7,GET,$it,12,x" }
        requests(*lines.toTypedArray(), *lines.take(1).toTypedArray()) shouldBe
            listOf("GET /orders/7 200", "GET /orders?ids=1,2,3 200", "GET /a,b 204")
    }

    @Test
    fun `a priority of syslog does no harm`() {
        both(
            "syslog",
            "<134>1 2026-01-15T10:11:12Z lb nginx - - - 192.0.2.1 - - [15/Jan/2026] \"GET /orders/7 HTTP/1.1\" 200 5",
            "<134>1 2026-01-15T10:11:13Z lb nginx - - - 192.0.2.1 - - [15/Jan/2026] \"GET /orders?page=2 HTTP/1.1\" 204 5",
        )
    }
}
