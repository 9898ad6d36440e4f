package bootdyno.imports

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class EndpointsTest {
    @Test
    fun `mappings give the paths of GET handlers, with 1 for each variable and short ones first`() {
        fun mapping(method: String, pattern: String) =
            """{ "details": { "requestMappingConditions": { "methods": [ "$method" ], "patterns": [ "$pattern" ] } } }"""
        val all = listOf(
            "GET" to "/orders/{id}",
            "POST" to "/orders",
            "GET" to "/error",
            "GET" to "/webjars/**",
            "GET" to "/orders",
        )
        val ofAnyMethod = """, { "details": { "requestMappingConditions": { "methods": [], "patterns": [ "/old" ] } } }"""
        val document = """{ "contexts": { "shop": { "mappings": { "dispatcherServlets": { "dispatcherServlet":
            [ ${all.joinToString { (method, pattern) -> mapping(method, pattern) }} $ofAnyMethod ] } } } } }"""
        mappedPaths(document).shouldContainExactly("/old", "/orders", "/orders/1")
        mappedPaths("no JSON").shouldBeEmpty()
    }

    @Test
    fun `mappings of the actuator, of Spring and of springdoc are left out, wherever they are`() {
        fun mapping(handler: String, pattern: String) = """{ "handler": "$handler", "details": {
            "requestMappingConditions": { "methods": [ "GET" ], "patterns": [ "$pattern" ] } } }"""
        val all = listOf(
            mapping("Actuator web endpoint 'health'", "/manage/health"),
            mapping("Actuator root web endpoint", "/manage"),
            mapping("org.springframework.boot.webmvc.autoconfigure.error.BasicErrorController#error()", "/oops"),
            mapping("org.springdoc.webmvc.api.OpenApiWebMvcResource#openapiJson(HttpServletRequest)", "/api-docs"),
            mapping("com.example.Orders#all()", "/orders"),
            mapping("org.springframework.samples.petclinic.system.WelcomeController#welcome()", "/"),
            """{ "handler": "ResourceHttpRequestHandler", "predicate": "/**", "details": null }""",
        )
        mappedPaths("""{ "mappings": [ ${all.joinToString()} ] }""").shouldContainExactly("/", "/orders")
    }

    @Test
    fun `a page gives its links on the same server, without files and the logout`() {
        val page = """
            <link href="/style.css"><a class="x" href="/owners?page=1&amp;size=5">Owners</a> <a href='/vets.html'>Vets</a>
            <a href="//other.test/x">Other</a><a href="https://other.test/">Other</a><a href="/logo.PNG">Logo</a>
            <a href="/logout">Out</a><a href="/owners?page=1&amp;size=5">Again</a><a href="#top">Top</a>
        """
        linkedPaths(page).shouldContainExactly("/owners?page=1&size=5", "/vets.html")
    }

    @Test
    fun `a redirection gives a path of the same server`() {
        targetOfLink("/", "/zipkin/") shouldBe "/zipkin/"
        targetOfLink("/", "index.html?a=1") shouldBe "/index.html?a=1"
        targetOfLink("/shop/", "http://localhost:8080/shop/home") shouldBe "/shop/home"
        targetOfLink("/", "https://accounts.other.test/login").shouldBeNull()
        targetOfLink("/", "/swagger-ui.html").shouldBeNull()
        targetOfLink("/", "/").shouldBeNull()
        targetOfLink("/", "no address").shouldBeNull()
    }

    @Test
    fun `links may be relative, and the logout below a context path is left out`() {
        val page = """<a href="owners">O</a><a href="./vets?page=2">V</a><a href="/shop/logout">Out</a>
            <a href="?lang=de">D</a><a href="mailto:me@shop.test">M</a><a href="javascript:void(0)">J</a>
            <a href="/shop/">Home</a><a href="#top">Top</a>"""
        linkedPaths(page, "/shop/", "/shop").shouldContainExactly("/shop/owners", "/shop/vets?page=2", "/shop/?lang=de")
    }

    @Test
    fun `the words of a path say whether a GET may change something`() {
        val changing = listOf("/orders/1/cancel", "/deleteAll", "/cache-reset", "/Orders/Remove/1", "/cart?action=add&id=1")
        (changing + listOf("/jobs/run", "/cache/evict", "/reindex", "/syncUsers", "/users/1/disable")).forEach {
            withClue(it) { mayChangeState(it) shouldBe true }
        }
        listOf("/orders", "/addresses", "/updates", "/clearance", "/stops/1", "/runs", "/settings", "/posts").forEach {
            withClue(it) { mayChangeState(it) shouldBe false }
        }
    }
}
