package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class UserPlanTest {
    @TempDir
    private lateinit var folder: Path
    private val said = mutableListOf<String>()

    private val order = LoadOrder(
        host = "127.0.0.1",
        port = 4711,
        steps = listOf(Step("all", path = "/")),
        load = LoadProfile.Closed(1),
        settle = 2.seconds,
        window = 30.seconds,
        timeout = 5.seconds,
    )

    private fun prepare(plan: Path, given: Map<String, String> = emptyMap(), order: LoadOrder = this.order): PreparedPlan =
        UserPlan.read(plan).prepare(order, order.host, folder.resolve("temporary").createDirectory(), given, said::add)

    /** A plan with [group]'s properties and one request for each of [requests]. */
    private fun plan(vararg requests: Map<String, String>, group: String = loops("3"), more: String = ""): Path {
        val samplers = requests.joinToString("\n") { request ->
            val properties = request.map { (name, value) -> """<stringProp name="HTTPSampler.$name">$value</stringProp>""" }
            "<HTTPSamplerProxy testname=\"x\">${properties.joinToString("")}</HTTPSamplerProxy><hashTree/>"
        }
        return folder.resolve("plan.jmx").also {
            it.writeText(
                """
                |<jmeterTestPlan version="1.2"><hashTree><TestPlan testname="p"/><hashTree>
                |  <ThreadGroup testname="g" enabled="true">$group</ThreadGroup>
                |  <hashTree>$samplers$more</hashTree>
                |</hashTree></hashTree></jmeterTestPlan>
                """.trimMargin(),
            )
        }
    }

    private fun loops(count: String) =
        """<elementProp name="ThreadGroup.main_controller"><intProp name="LoopController.loops">$count</intProp></elementProp>"""

    private fun timed(loops: String) = loops(loops) + """<boolProp name="ThreadGroup.scheduler">true</boolProp>"""

    private fun resource(name: String): Path = Path.of(checkNotNull(javaClass.getResource("/jmeter/$name")) { name }.toURI())

    @Test
    fun `a plan that takes host and port from properties runs as it is, through its variables too`() {
        val file = resource("by-properties.jmx")
        prepare(file, mapOf("threads" to "3")).use { plan ->
            plan.file shouldBe file
            plan.workingFolder shouldBe file.parent
            plan.properties shouldContainExactly mapOf("serverName" to "127.0.0.1", "port" to "4711", "threads" to "3")
        }
    }

    @Test
    fun `what the user gives wins over what we would`() {
        prepare(resource("by-properties.jmx"), mapOf("port" to "80")).use { it.properties["port"] shouldBe "80" }
    }

    @Test
    fun `a plan with an address of its own is copied beside it, with ours everywhere, and the copy goes away again`() {
        val file = plan(
            mapOf("domain" to "shop.example", "port" to "443", "protocol" to "https", "path" to "/a"),
            mapOf("domain" to "\${__P(host)}", "path" to "https://auth.example:8443/token?x=1"),
            mapOf("domain" to "\${fromAFile}"),
        )
        val original = file.readText()
        prepare(file).use { plan ->
            plan.file.parent shouldBe folder
            val copy = Jmx.read(plan.file).all.filter { it.tagName == "HTTPSamplerProxy" }
            copy.map { it.text("HTTPSampler.domain") }.toSet() shouldBe setOf("127.0.0.1")
            copy.map { it.text("HTTPSampler.port") }.toSet() shouldBe setOf("4711")
            copy.map { it.text("HTTPSampler.protocol") }.toSet() shouldBe setOf("http")
            copy.map { it.text("HTTPSampler.path") } shouldContainExactly listOf("/a", "/token?x=1", null)
            plan.properties shouldContainExactly mapOf("host" to "127.0.0.1")
            val (what, number) = plan.complaints.entries.single()
            what shouldBe "addresses of the plan, all sent to the subject (\${fromAFile}, auth.example:8443, shop.example:443)"
            number shouldBe 3
        }
        file.readText() shouldBe original
        folder.listDirectoryEntries().map { it.name }.toSet() shouldBe setOf("plan.jmx", "temporary")
        said.single { "shop.example:443" in it } shouldContain "auth.example:8443"
    }

    @Test
    fun `a request has the host and the port of the defaults where it lacks them`() {
        val defaults = """<ConfigTestElement testname="d"><stringProp name="HTTPSampler.domain">localhost</stringProp>
            <stringProp name="HTTPSampler.port">8080</stringProp></ConfigTestElement><hashTree/>"""

        fun complaints(vararg requests: Map<String, String>) = UserPlan.read(plan(*requests, more = defaults))
            .prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { it.complaints }
        complaints(mapOf("path" to "/a"), mapOf("domain" to "localhost", "path" to "/b")) shouldBe emptyMap()
        complaints(mapOf("port" to "8081")) shouldBe
            mapOf("addresses of the plan, all sent to the subject (localhost:8080, localhost:8081)" to 2L)
    }

    @Test
    fun `requests of the work bench of an old plan do not run, and so are no addresses`() {
        val domain = """<stringProp name="HTTPSampler.domain">recorded.example</stringProp>"""
        val bench = "<WorkBench/><hashTree><HTTPSamplerProxy>$domain</HTTPSamplerProxy><hashTree/></hashTree>"
        prepare(plan(mapOf("domain" to "shop.example"), more = bench)).use { it.complaints shouldBe emptyMap() }
    }

    @Test
    fun `a fixed port or no port at all needs a copy, ours in the plan does not`() {
        val host = "domain" to "\${__P(host)}"
        listOf(mapOf(host, "port" to "8080"), mapOf(host), mapOf("port" to "\${__P(port)}"))
            .forEachIndexed { i, request ->
                folder.resolve("$i").createDirectory()
                val plan = plan(request)
                UserPlan.read(plan).prepare(order, "127.0.0.1", folder.resolve("$i"), emptyMap(), said::add)
                    .use { (it.file == plan) shouldBe false }
            }
        prepare(plan(mapOf("domain" to "127.0.0.1", "port" to "4711"))).use {
            it.file.name shouldBe "plan.jmx"
            it.complaints shouldBe emptyMap()
        }
    }

    /** A manager with [entries], which have one value each. */
    private fun manager(list: String, name: String, vararg entries: String): String {
        val all = entries.joinToString("") { """<elementProp name=""><stringProp name="$name">$it</stringProp></elementProp>""" }
        return """<Manager testname="m"><collectionProp name="$list">$all</collectionProp></Manager><hashTree/>"""
    }

    private fun logins(vararg urls: String) = manager("AuthManager.auth_list", "Authorization.url", *urls)

    @Test
    fun `logins and cookies of the plan's addresses become the subject's, and others stay`() {
        fun variable(name: String, value: String) = """<elementProp name="$name">
            <stringProp name="Argument.name">$name</stringProp>
            <stringProp name="Argument.value">$value</stringProp></elementProp>"""
        val variables = """<Arguments testname="v"><collectionProp name="Arguments.arguments">
            ${variable("shop", "shop.example")}${variable("scheme", "http")}</collectionProp></Arguments><hashTree/>"""
        val logins = logins("http://shop.example:8080", "https://\${shop}/admin", "http://other.example/a", "")
        val cookies = manager("CookieManager.cookies", "Cookie.domain", "\${shop}", "other.example", "")
        val whole = mapOf("path" to "\${scheme}://\${shop}/a/\${scheme}")
        val file = plan(mapOf("domain" to "shop.example", "port" to "8080"), whole, more = variables + logins + cookies)
        prepare(file).use { plan ->
            val all = Jmx.read(plan.file).all
            all.mapNotNull { it.text("HTTPSampler.path") } shouldBe listOf("/a/\${scheme}")
            val managed = all.filter { it.tagName == "Manager" }.flatMap { it.children().single().children() }
            managed.map { it.textContent } shouldContainExactly
                listOf("http://127.0.0.1:4711/", "http://127.0.0.1:4711/admin", "http://other.example/a", "") +
                listOf("127.0.0.1", "other.example", "")
        }
    }

    @Test
    fun `a plan that takes its address from properties, but not that of its login, is copied`() {
        val request = mapOf("domain" to "\${__P(host,localhost)}", "port" to "\${__P(port)}")
        fun isCopied(login: String) = plan(request, more = logins(login)).let { file ->
            UserPlan.read(file).prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { it.file != file }
        }
        isCopied("http://localhost:8080/") shouldBe true
        isCopied("") shouldBe false
    }

    @Test
    fun `an included file with a fixed address is refused, for its load would go elsewhere`() {
        val path = """<stringProp name="IncludeController.includepath">inner.jmx</stringProp>"""
        val include = "<IncludeController>$path</IncludeController><hashTree/>"
        val inner = plan(mapOf("domain" to "shop.example"))
        folder.resolve("inner.jmx").writeText(inner.readText())
        val outer = plan(mapOf("domain" to "\${__P(host)}", "port" to "\${__P(port)}"), more = include)
        shouldThrow<EngineFailed> { prepare(outer) }.message shouldContain "inner.jmx"
    }

    @Test
    fun `what counts follows from how the plan ends`() {
        fun length(group: String, given: Map<String, String> = emptyMap(), more: String = ""): RunLength {
            val plan = plan(mapOf("domain" to "127.0.0.1", "port" to "4711"), group = group, more = more)
            return UserPlan.read(plan).prepare(order, "127.0.0.1", folder, given, said::add).use { it.length }
        }
        // Settling 2 s, window 30 s, timeout 5 s, grace 10 s.
        length(loops("3")) shouldBe RunLength(Duration.ZERO, Duration.INFINITE, lasts = false, stopAfter = 47.seconds)
        length(timed("-1")) shouldBe RunLength(2.seconds, Duration.INFINITE, lasts = false, stopAfter = 47.seconds)
        length(timed("3")).settle shouldBe Duration.ZERO
        length(loops("-1")) shouldBe RunLength(2.seconds, 30.seconds, lasts = false, stopAfter = 32.seconds)
        length(loops("\${__P(loops,-1)}")).stopAfter shouldBe 32.seconds
        length(loops("\${__P(loops,-1)}"), mapOf("loops" to "7")).settle shouldBe Duration.ZERO
        said shouldContain "${folder.resolve("plan.jmx")} has no end: it is stopped after 32s"
        fun inner(count: String) =
            "<LoopController><intProp name=\"LoopController.loops\">$count</intProp></LoopController><hashTree/>"
        length(loops("1"), more = inner("-1")) shouldBe RunLength(2.seconds, 30.seconds, lasts = false, stopAfter = 32.seconds)
        length(loops("1"), more = inner("100")).settle shouldBe Duration.ZERO
        length(timed("1"), more = inner("-1")).stopAfter shouldBe 47.seconds
        length(loops("1"), more = "<RunTime/><hashTree>${inner("-1")}</hashTree>").stopAfter shouldBe 47.seconds
    }

    @Test
    fun `a thread group with a schedule of its own counts after the settling time`() {
        fun settle(vararg groups: String): Duration {
            val file = plan(mapOf("domain" to "127.0.0.1", "port" to "4711"))
            val all = groups.joinToString("") { "<$it testname=\"g\">${loops("-1")}</$it><hashTree/>" }
            file.writeText(file.readText().replace(Regex("<ThreadGroup.*</ThreadGroup>")) { "$all<GenericController/>" })
            return UserPlan.read(file).prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { it.length.settle }
        }
        settle("OpenModelThreadGroup") shouldBe 2.seconds
        settle("SetupThreadGroup", "kg.apc.jmeter.threads.UltimateThreadGroup", "PostThreadGroup") shouldBe 2.seconds
        settle("SetupThreadGroup") shouldBe Duration.ZERO
    }

    @Test
    fun `rows of transactions count only where they are the only ones`() {
        fun rows(vararg parents: Boolean): TransactionRows {
            val controllers = parents.mapIndexed { i, parent ->
                """<TransactionController testname="t$i"><boolProp name="TransactionController.parent">$parent</boolProp>""" +
                    "</TransactionController><hashTree/>"
            }
            return UserPlan.read(plan(more = controllers.joinToString("")))
                .prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { it.transactions }
        }

        fun row(label: String, message: String) = JtlRow(0, 1, 0, label, "200", message, true, "", 1)
        val transaction = row("t0", "Number of samples in transaction : 2, number of failing samples : 0")
        rows(false).counts(transaction) shouldBe false
        rows(false).counts(row("a", "OK")) shouldBe true
        rows(true).counts(transaction) shouldBe true
        rows(true, false).counts(transaction) shouldBe true
        rows(false, true).counts(transaction) shouldBe false
    }

    @Test
    fun `samples of scripts and other helpers are no requests, unless the plan has nothing else`() {
        val helpers = listOf("JSR223Sampler" to "script", "DebugSampler" to "debug", "kg.apc.jmeter.samplers.DummySampler" to "x")
        val more = helpers.joinToString("") { (tag, name) -> "<$tag testname=\"$name\"/><hashTree/>" }

        fun counted(vararg requests: Map<String, String>) = UserPlan.read(plan(*requests, more = more))
            .prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { plan ->
                listOf("x", "script", "debug").filter { plan.transactions.counts(JtlRow(0, 1, 0, it, "200", "OK", true, "", 1)) }
            }
        // A name that a request has too counts.
        counted(mapOf("domain" to "127.0.0.1", "port" to "4711")) shouldBe listOf("x")
        counted() shouldBe listOf("x", "script", "debug")
    }

    @Test
    fun `samples of groups before the load do not count, unless a group of the load has the same name`() {
        fun prepared(setUp: String): PreparedPlan {
            val file = plan(mapOf("domain" to "127.0.0.1", "port" to "4711"))
            val group = "<SetupThreadGroup testname=\"$setUp\"/><hashTree/>"
            file.writeText(file.readText().replace("<ThreadGroup ", "$group<ThreadGroup "))
            return UserPlan.read(file).prepare(order, "127.0.0.1", folder, emptyMap(), said::add)
        }

        fun PreparedPlan.counts(thread: String) = transactions.counts(JtlRow(0, 1, 0, "x", "200", "OK", true, "", 1, thread))
        prepared("set up").use { plan ->
            val threads = listOf("set up 1-1", "10.0.0.7:1099-set up 1-1", "g 1-1", "10.0.0.7:1099-g 1-12", "")
            threads.filter { plan.counts(it) } shouldBe threads.drop(2)
            plan.transactions.isOutside(JtlRow(0, 1, 0, "x", "401", "", false, "", 1, threads.first())) shouldBe true
            plan.complaints shouldBe emptyMap()
        }
        prepared("g").use { plan ->
            plan.counts("g 1-1") shouldBe true
            plan.complaints.keys.single() shouldContain "another group is called g, too"
        }
    }

    @Test
    fun `labels with the values of variables belong to their elements, and ambiguous ones to requests`() {
        fun counted(requestName: String): List<String> {
            val http = "<HTTPSamplerProxy testname=\"$requestName\"/><hashTree/>"
            val helper = "<DebugSampler testname=\"log \${user}\${n} of \${__V(id_\${n})}\"/><hashTree/>"
            val isParent = """<boolProp name="TransactionController.parent">true</boolProp>"""
            val parent = "<TransactionController testname=\"t \${n}\">$isParent</TransactionController><hashTree/>" +
                "<TransactionController testname=\"u\"/><hashTree/>"
            val plan = plan(mapOf("domain" to "127.0.0.1", "port" to "4711"), more = http + helper + parent)
            val rows = UserPlan.read(plan).prepare(order, "127.0.0.1", folder, emptyMap(), said::add).use { it.transactions }
            fun row(label: String): JtlRow {
                val message = if (label.first() in "tu") TransactionRows.PREFIX else "OK"
                return JtlRow(0, 1, 0, label, "200", message, true, "", 1)
            }
            return listOf("log bob of 7", "log", "t 1", "u", "get 7").filter { rows.counts(row(it)) }
        }
        counted("get \${id}") shouldBe listOf("log", "t 1", "get 7")
        counted("\${name}") shouldBe listOf("log bob of 7", "log", "t 1", "get 7")
    }

    @Test
    fun `what is no plan is said with its place before anything runs`() {
        val broken = folder.resolve("broken.jmx").also { it.writeText("<jmeterTestPlan>\n<hashTree>\n</jmeterTestPlan>") }
        shouldThrow<EngineFailed> { UserPlan.read(broken) }.message shouldContain "line 3"
        val other = folder.resolve("other.jmx").also { it.writeText("<project/>") }
        shouldThrow<EngineFailed> { UserPlan.read(other) }.message shouldContain "<project>"
        shouldThrow<EngineFailed> { UserPlan.read(folder.resolve("none.jmx")) }.message shouldContain "none.jmx"
        val deep = folder.resolve("deep.jmx").also { it.writeText("<jmeterTestPlan>" + "<hashTree>".repeat(100_000)) }
        shouldThrow<EngineFailed> { UserPlan.read(deep) }.message shouldContain "deep.jmx is no JMeter plan"
        deep.writeText("<jmeterTestPlan>" + "<hashTree>".repeat(50_000) + "</hashTree>".repeat(50_000) + "</jmeterTestPlan>")
        shouldThrow<EngineFailed> { UserPlan.read(deep) }.message shouldContain "deep.jmx is no JMeter plan"
    }

    @Test
    fun `nothing outside the plan is read`() {
        val secret = folder.resolve("secret.txt").also { it.writeText("s3cret") }
        val plan = folder.resolve("sly.jmx").also {
            it.writeText("""<!DOCTYPE x [<!ENTITY e SYSTEM "${secret.toUri()}">]><jmeterTestPlan>&e;</jmeterTestPlan>""")
        }
        (shouldThrow<EngineFailed> { UserPlan.read(plan) }.message ?: "") shouldNotContain "s3cret"
    }
}
