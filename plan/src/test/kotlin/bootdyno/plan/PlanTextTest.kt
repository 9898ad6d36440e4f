package bootdyno.plan

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Isolated
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.util.Locale

@Isolated("It sets the locale.")
class PlanTextTest {
    private fun again(text: String) = sound(text, file = "experiment.yaml")

    @ParameterizedTest
    @ValueSource(strings = ["blocking-io", "quick", "cpu-bound", "slow-downstream", "crud-postgres", "runtime"])
    fun `a resolved built-in experiment is read again as the same plan`(name: String) {
        val plan = sound(builtIn(name).orEmpty(), Overrides(seed = 77), "$name.yaml")
        again(planText(plan)) shouldBe plan
    }

    @Test
    fun `an experiment with every key and unusual texts is unchanged after writing and reading`() {
        val plan = sound(
            """
            title: "A: #1 \"quoted\" \\ back\nslash"
            question: "~"
            source: { key: k, title: "001" }
            limits: { cpus: 0.5, memory: unlimited, cpu-by: quota }
            services:
              slow: { subject: downstream, settings: { mean: 500 }, jvm: [ -Xmx64m ] }
              search: { subject: { command: [ ./search, "{port}" ], ready: /up, counts: /served }, env: { A: b } }
            variants:
              jar:
                subject:
                  jar: target/app.jar
                  stack: tomcat
                  ready: /up
                  styles:
                    /x: { style: blocking, occupies: request-thread, pool: { of: "connections, open", setting: p.q, size: 50 } }
                  statements: { read: [ SELECT ], refused: [] }
                settings: { slow.url: "{slow}", search.port: "{search.port}", a.b: "", c: "null", d: true, e: " padded ", f: "- x", g: "a: b", h: "*" }
                jvm: [ -Xmx1g, "-Dx={y}" ]
                env: { HOME: "/ü/😀" }
                java: /opt/java
                runtime: app-cds
              command: { subject: { command: [ ./serve, "--port={port}" ] }, working-directory: /srv }
              url: { subject: { url: "http://127.0.0.1:8080/" } }
            workloads:
              post:
                post: "/x?y={y}"
                parameters: { y: 1 }
                warm-up: { y: 0 }
                holds: "{y} s"
                headers: { Content-Type: application/json }
                body: '{ "a": 1 }'
                expect: { status: 201, body: "ok\n", content-type: application/json }
                on: [ jar, command ]
                calls: 0
              get: { get: / }
            profiles:
              open: { open: 12.5/s, arrivals: poisson, window: 90 s }
              burst: { burst: 10000 × 100, timeout: 1500 ms, warm-up: certified }
            only: [ "jar/*", "url/get@*" ]
            baseline: jar/get@burst
            protocol: [ steady, cold ]
            latency-at: { "jar/get@open": [ 50 % ], "*": [ 80 %, 12.5 %, 300/s ] }
            rounds: 2
            published: { jar/get@burst+cold: { p99.9: 84.08, cpu-per-request: 0.000035 } }
            claims: [ { text: "x, y", figure: jar/get@open, measure: p90, published: 3, tolerance: 2.5 % } ]
            gates: [ "jar/get@open.p99 <= 1 s" ]
            """,
        )
        again(planText(plan)) shouldBe plan.copy(experiment = plan.experiment.copy(name = "mine"))
    }

    @Test
    fun `swept workloads and loads are written as the lists they were`() {
        val plan = sound(SWEPT)
        again(planText(plan)) shouldBe plan.copy(experiment = plan.experiment.copy(name = "mine"))
        planText(plan) shouldContain "      limit: [100, 1000]\n      sum: [1060, 76127]\n      kind: primes\n"
    }

    @Test
    fun `cells that a flag left stay the same without the flag`() {
        val plan = sound(SMALL, Overrides(only = listOf("b/*"), set = listOf("limits.cpus=2"), rounds = 3))
        again(planText(plan)) shouldBe plan
    }

    @Test
    fun `the text is the same under another locale`() {
        val plan = sound(builtIn("blocking-io").orEmpty(), file = "blocking-io.yaml")
        val before = Locale.getDefault()
        val text = planText(plan)
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"))
            planText(plan) shouldBe text
        } finally {
            Locale.setDefault(before)
        }
        text shouldContain "webflux/noop: { throughput: 15806.9, p99: 84.08 }"
    }
}
