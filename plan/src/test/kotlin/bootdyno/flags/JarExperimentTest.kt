package bootdyno.flags

import bootdyno.model.CellId
import bootdyno.model.Compose
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import bootdyno.model.OpenRate
import bootdyno.model.Origin
import bootdyno.model.Preset
import bootdyno.model.RuntimeForm
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.planOf
import bootdyno.plan.planText
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class JarExperimentTest {
    private val app = Subject("app", Origin.Jar("/home/me/some-app.jar"), readyPath = "/health")

    private fun plan(vararg vary: String) =
        planOf(experimentOfJar(JarQuestion(app, listOf("/orders/1?full=true"), vary.toList()), Surroundings(), Overrides()))

    private fun names(vararg vary: String, design: Design = Design.FACTORIAL): List<String> {
        val question = JarQuestion(app, listOf("/"), vary.toList(), design = design)
        return planOf(experimentOfJar(question, Surroundings(), Overrides())).experiment.variants.map { it.name }
    }

    @Test
    fun `each value is a variant with a readable name, the first is the baseline`() {
        val plan = plan("spring.threads.virtual.enabled=false,true")
        plan.cells.map { it.id.text }.shouldContainExactly("virtual-threads-off/orders-1", "virtual-threads-on/orders-1")
        plan.experiment.baseline shouldBe CellId("virtual-threads-off/orders-1")
        plan.cells.last().variant.settings shouldBe mapOf("spring.threads.virtual.enabled" to "true")
        plan.cells.last().workload.steps.single().path shouldBe "/orders/1?full=true"
        plan.cells.last().subject.readyPath shouldBe "/health"
        plan.cells.last().profile.load shouldBe LoadProfile.Closed(400)
        plan.experiment.name shouldBe "some-app"
    }

    @Test
    fun `a jar is measured in few short rounds, unless a flag says otherwise`() {
        fun rounds(overrides: Overrides) =
            planOf(experimentOfJar(JarQuestion(app, listOf("/orders")), Surroundings(), overrides)).experiment.repetition.rounds
        rounds(Overrides()) shouldBe 2
        rounds(Overrides(rounds = 7)) shouldBe 7
        rounds(Overrides(preset = Preset.STANDARD)) shouldBe 3
    }

    @Test
    fun `several paths are a mix, whose operations have unique names without dots`() {
        val question = JarQuestion(app, listOf("/v1.0/orders", "/", "/v1.0/orders?full=true"))
        val workload = planOf(experimentOfJar(question, Surroundings(), Overrides())).experiment.workloads.single()
        workload.mix shouldBe true
        workload.steps.map { it.name to it.path }.shouldContainExactly(
            "v1-0-orders" to "/v1.0/orders",
            "v1-0-orders-2" to "/v1.0/orders?full=true",
            "root" to "/",
        )
    }

    @Test
    fun `a request has its method, the content of its file with a type, and its status`() {
        val flag = RequestFlag("post /orders @my order.json 201", "{ \"id\": 1 }\n")
        bodyFileOf(flag.text) shouldBe "my order.json"
        bodyFileOf("GET /orders 404") shouldBe null
        fun workload(paths: List<String>, vararg requests: RequestFlag) = JarQuestion(app, paths, requests = requests.toList())
            .let { planOf(experimentOfJar(it, Surroundings(), Overrides())).experiment.workloads.single() }
        val json = mapOf("Content-Type" to "application/json")
        workload(emptyList(), flag).steps.single() shouldBe
            Step("post-orders", "POST", "/orders", json, "{ \"id\": 1 }", Expectation(201))
        val mix =
            workload(listOf("/orders"), flag, RequestFlag("PUT /orders @f", "a=1&b=x%20y"), RequestFlag("put /orders @x", "<a/>"))
        mix.mix shouldBe true
        mix.steps.map { "${it.name} ${it.method} ${it.contentType} ${it.expect.status}" }.shouldContainExactly(
            "orders GET null 200",
            "post-orders POST application/json 201",
            "put-orders PUT application/x-www-form-urlencoded 200",
            "put-orders-2 PUT application/xml 200",
        )
    }

    @Test
    fun `a request that cannot be read is a problem that names the flag`() {
        fun problem(text: String): String {
            val read =
                experimentOfJar(JarQuestion(app, emptyList(), requests = listOf(RequestFlag(text))), Surroundings(), Overrides())
            return (read as Read.Unsound).problems.single().let { "${it.file}: ${it.message} (${it.hint})" }
        }
        problem("/orders") shouldBe
            "--request /orders: is no request (write METHOD PATH [@FILE] [STATUS]: POST /orders @order.json 201)"
        problem("GTE /orders") shouldBe "--request GTE /orders: `GTE` is no method (did you mean `GET`?)"
        problem("GET orders") shouldBe "--request GET orders: `orders` is not a path: it begins with / (null)"
        problem("GET /orders 999") shouldBe "--request GET /orders 999: `999` is no status from 100 to 599 (null)"
    }

    @Test
    fun `several settings are combined, and names are extended until unique`() {
        plan("shop.threads.max=100,200", "db.pool.max=5,10").experiment.variants.map { it.name }.shouldContainExactly(
            "threads.max=100+pool.max=5",
            "threads.max=100+pool.max=10",
            "threads.max=200+pool.max=5",
            "threads.max=200+pool.max=10",
        )
    }

    @Test
    fun `nothing varied is one cell, and the plan is read again from its text`() {
        plan().cells.map { it.id.text }.shouldContainExactly("as-is/orders-1")
        val plan = plan("x.y=a/b,c d")
        plan.experiment.variants.map { it.name }.shouldContainExactly("y=a-b", "y=c-d")
        planOf(readPlan("experiment.yaml", planText(plan), emptyList(), { null }, Overrides())) shouldBe plan
    }

    @Test
    fun `what the jar is run as can be varied beside its settings`() {
        val plan = plan("runtime=jar,aot-cache", "x.y=1")
        plan.experiment.variants.map { it.name }.shouldContainExactly("runtime=jar+y=1", "runtime=aot-cache+y=1")
        plan.experiment.variants.map { it.runtime }.shouldContainExactly(RuntimeForm.JAR, RuntimeForm.AOT_CACHE)
        plan.experiment.variants.map { it.settings }.distinct().shouldContainExactly(mapOf("x.y" to "1"))
        val wrong = experimentOfJar(
            JarQuestion(app, listOf("/"), listOf("runtime=jar,aot")),
            Surroundings(),
            Overrides(),
        ) as Read.Unsound
        wrong.problems.single().message shouldBe
            "`aot` is not one of jar, extracted, app-cds, aot-cache, spring-aot, spring-aot+aot-cache, native"
    }

    @Test
    fun `names say what a reader would say, and are unique`() {
        names("server.tomcat.threads.max=50,200").shouldContainExactly("tomcat-threads-50", "tomcat-threads-200")
        names("shop.cache.enabled=true,false").shouldContainExactly("cache-on", "cache-off")
        names("env:LOG_LEVEL=debug,warn").shouldContainExactly("LOG_LEVEL=debug", "LOG_LEVEL=warn")
        names("jvm:-Xmx=512m,1g").shouldContainExactly("Xmx512m", "Xmx1g")
        names("jvm:none,-XX:+UseZGC,-XX:-UseCompressedOops").shouldContainExactly("no-flag", "UseZGC", "UseCompressedOops-off")
        names("java:17,/opt/jdk-21.0.2/bin/java").shouldContainExactly("jdk-17", "jdk-21.0.2")
        names("x.y=a/b,a b").shouldContainExactly("y=a-b", "y=a-b-2")
        names("db.password=hunter1,hunter2").shouldContainExactly("password-1", "password-2")
    }

    @Test
    fun `one at a time is the baseline, and each other value alone`() {
        names("server.tomcat.threads.max=50,100,200", "x.y=1,2", design = Design.ONE_AT_A_TIME).shouldContainExactly(
            "baseline",
            "tomcat-threads-100",
            "tomcat-threads-200",
            "y=2",
        )
        names("x.y=1,2", design = Design.ONE_AT_A_TIME).shouldContainExactly("y=1", "y=2")
    }

    @Test
    fun `environment, JVM flags and JDKs are varied where they belong`() {
        val plan = plan("env:MODE=a,b", "jvm:-Xmx=512m", "java=21")
        val variant = plan.experiment.variants.last()
        variant.environment shouldBe mapOf("MODE" to "b")
        variant.jvm shouldBe listOf("-Xmx512m")
        variant.java shouldBe "21"
        variant.settings shouldBe emptyMap()
    }

    @Test
    fun `flags of the application are those of all variants`() {
        val question = JarQuestion(
            app,
            listOf("/"),
            listOf("x.y=1"),
            settings = listOf("a.b=c=d"),
            environment = listOf("MODE=x"),
            jvm = listOf("-Xss1m"),
            java = listOf("17", "21"),
            workingDirectory = "/srv",
            compose = Compose("/srv/compose.yaml", listOf("db")),
        )
        val plan = planOf(experimentOfJar(question, Surroundings(), Overrides()))
        plan.experiment.variants.map { it.name }.shouldContainExactly("jdk-17+y=1", "jdk-21+y=1")
        val variant = plan.experiment.variants.last()
        variant.settings shouldBe mapOf("a.b" to "c=d", "x.y" to "1")
        variant.environment shouldBe mapOf("MODE" to "x")
        variant.jvm shouldBe listOf("-Xss1m")
        variant.java shouldBe "21"
        variant.workingDirectory shouldBe "/srv"
        plan.experiment.compose shouldBe Compose("/srv/compose.yaml", listOf("db"))
        planOf(readPlan("experiment.yaml", planText(plan), emptyList(), { null }, Overrides())) shouldBe plan
    }

    @Test
    fun `a question has few rounds, and an application alone its latency as well`() {
        fun experiment(vararg vary: String) =
            planOf(experimentOfJar(JarQuestion(app, listOf("/"), vary.toList()), Surroundings(), Overrides())).experiment
        val compared = experiment(PLATFORM_OR_VIRTUAL)
        compared.title shouldBe "some-app: platform and virtual threads"
        compared.repetition.rounds shouldBe 2
        compared.repetition.maxRounds shouldBe 5
        compared.latencyAt shouldBe emptyMap()
        experiment().latencyAt.values.single() shouldBe listOf(OpenRate.Share(0.5), OpenRate.Share(0.8))
    }

    @Test
    fun `what is written for people says what each key means, and is read as the same plan`() {
        val plan = plan("x.y=1,2")
        val text = planText(plan, commented = true)
        text shouldContain "# Configurations to compare, each of one subject.\nvariants:"
        planOf(readPlan("experiment.yaml", text, emptyList(), { null }, Overrides())) shouldBe plan
    }

    @Test
    fun `what cannot be varied is a problem that names the flag`() {
        val found = experimentOfJar(
            JarQuestion(app, listOf("orders"), listOf("x", "y=")),
            Surroundings(),
            Overrides(),
        ) as Read.Unsound
        found.problems.map { "${it.file}: ${it.message}" }.shouldContainExactly(
            "--vary x: `x` names no setting",
            "--vary y=: `y=` gives no values",
            "command line: `orders` is not a path: it begins with /",
        )
        fun problem(vararg vary: String, of: JarQuestion = JarQuestion(app, listOf("/"), vary.toList())): String {
            val read = experimentOfJar(of, Surroundings(), Overrides())
            return (read as Read.Unsound).problems.single().let { "${it.file}: ${it.message}" }
        }
        problem("jvm:Xmx=1g") shouldBe "--vary jvm:Xmx=1g: `Xmx` is no JVM flag"
        problem("x=1", "x=2") shouldBe "--vary: `x` is varied twice"
        problem(of = JarQuestion(app, listOf("/"), settings = listOf("x"))) shouldBe "--setting x: `x` sets nothing"
        problem(of = JarQuestion(app, listOf("/"), environment = listOf("=1"))) shouldBe "--env =1: `=1` sets nothing"
    }

    @Test
    fun `rounds that are measured apart are exactly as many, without shares of a capacity`() {
        val question = JarQuestion(app, listOf("/orders"))
        val plan = planOf(experimentOfJar(question, Surroundings(), Overrides(rounds = 6, roundsApart = true)))
        plan.experiment.repetition.maxRounds shouldBe 6
        plan.cells.flatMap { it.latencyAt } shouldBe emptyList()
    }
}
