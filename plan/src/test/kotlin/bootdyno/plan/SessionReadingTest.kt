package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.LoadKind
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test

class SessionReadingTest {
    private val shop = """
        title: Shop
        variants:
          a: { subject: { jar: a.jar } }
        workloads:
          shop:
            login:
              form: { get: /login, capture: { csrf: "input[name=_csrf]", at: "header:Location" } }
              send: { post: /login, body: "username={name}&password={word}&_csrf={csrf}" }
              token: { get: /orders/new, capture: { csrf: "meta[name=_csrf]" } }
            mix:
              list: { get: "/orders?of={name}", weight: 80 }
              create: { post: /orders, headers: { X-CSRF-TOKEN: "{csrf}" }, weight: 20 }
            data: names.csv
            parameters: { word: "a b" }
        profiles:
          ten: { closed: 10 }
    """.trimIndent()

    @Test
    fun `a login is read like a chain, and what it captures is known in all requests`() {
        val workload = soundWithData(shop).experiment.workloads.single()
        workload.login.map { "${it.name} ${it.method} ${it.path}" } shouldContainExactly
            listOf("form GET /login", "send POST /login", "token GET /orders/new")
        workload.loginRequests()[1].body shouldBe "username={name}&password=a b&_csrf={csrf}"
        workload.cookies shouldBe true
        workload.sendsTheSame shouldBe false
    }

    @Test
    fun `a resolved login is read again as the same plan`() {
        val single = """
            title: Shop
            variants:
              a: { subject: { jar: a.jar } }
            workloads:
              api:
                login: { token: { post: /token, body: "{name}", capture: { token: "${'$'}.access_token" } } }
                get: /orders
                headers: { Authorization: "Bearer {token}" }
                data: names.csv
                cookies: false
              visit: { get: /, cookies: true }
            profiles:
              ten: { closed: 10 }
        """.trimIndent()
        listOf(shop, single).forEach { text ->
            val plan = soundWithData(text)
            planOf(plannedWithData(planText(plan))) shouldBe plan
        }
        val (api, visit) = soundWithData(single).experiment.workloads
        api.cookies shouldBe false
        visit.cookies shouldBe true
    }

    @Test
    fun `a login may ask another server for a token, by parameters only`() {
        val token = "token: { post: \"https://auth.test/token?realm=a\", body: \"secret={word}\", " +
            "capture: { bearer: \"$.access_token\" } }"
        fun login(token: String) = shop.replace("token: { get: /orders/new, capture: { csrf: \"meta[name=_csrf]\" } }", token)
            .replace("X-CSRF-TOKEN: \"{csrf}\"", "Authorization: \"Bearer {bearer}\"")
        val workload = soundWithData(login(token)).experiment.workloads.single()
        workload.login.map { it.isElsewhere } shouldContainExactly listOf(false, false, true)
        planOf(plannedWithData(planText(soundWithData(login(token))))).experiment.workloads.single() shouldBe workload
        fun problem(change: (String) -> String) = problemsWithData(login(change(token))).single().substringAfter(' ')
        problem { it.replace("{word}", "{name}") } shouldBe "workloads.shop.login.token: {name} is unknown here " +
            "(a request to another server is sent once for all users, and takes parameters only)"
        problem { it.replace("auth.test", "auth..test") } shouldBe
            "workloads.shop.login.token.post: the URL is not the address of a server (write https://auth.example.com/token)"
        problem { it.replace("?realm=a", "#top") } shouldBe "workloads.shop.login.token.post: the URL has a fragment, " +
            "which no request sends: leave out # and what follows, or write %23 (write https://auth.example.com/token)"
    }

    @Test
    fun `what a login says wrongly is reported, and what it would have captured is not`() {
        val wrong = shop.replace("input[name=_csrf]", "input[id=_csrf]").replace("{name}&password", "{nam}&password")
        problemsWithData(wrong).map { it.substringAfter(' ') } shouldContainExactly listOf(
            "workloads.shop.login.form.capture.csrf: `input[id=_csrf]` is not a place in a response " +
                "(write $.persons[0].id, header:Name, cookie:Name or input[name=x])",
            "workloads.shop.login.send.body: {nam} is unknown here (did you mean `name`?)",
        )
    }

    @Test
    fun `a mistake about a captured value is reported in the requests`() {
        problemsWithData(
            shop.replace("X-CSRF-TOKEN: \"{csrf}\"", "X-CSRF-TOKEN: \"{crsf}\""),
        ).single().substringAfter(' ') shouldBe
            "workloads.shop.mix.create.headers.X-CSRF-TOKEN: {crsf} is unknown here (did you mean `csrf`?)"
        val login = "login: { a: { get: /login, capture: { token: $.t } } }"
        val single = "get: /noop, $login, headers: { Authorization: \"Bearer {tokn}\" }"
        problems(SMALL.replace("get: /noop", single)).single().substringAfter(' ') shouldBe
            "workloads.noop.headers.Authorization: {tokn} is not a parameter (did you mean `token`?)"
    }

    @Test
    fun `an engine that logs nobody in is refused, and one that finds values in JSON only`() {
        val kinds = listOf(EngineKind.OWN, EngineKind("jmeter", LoadKind.entries.toSet(), chains = true))
        fun problem(text: String) = plannedWithData("$text\nengine: jmeter", kinds = kinds)
            .shouldBeInstanceOf<Read.Unsound>().problems.first().message
        val login = SMALL.replace("get: /noop", "get: /noop, login: { a: { get: /login } }")
        problem(login) shouldBe "jmeter does not support `login` of the workload noop"
        val header = SMALL.replace("get: /noop", "chain: { a: { get: /x, capture: { b: \"header:B\" } } }")
        problem(header) shouldBe "jmeter does not support `capture` of the workload noop"
    }
}
