package bootdyno.plan

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
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
    fun `cookies are kept or not, whether there is a login or not`() {
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
    }
}
