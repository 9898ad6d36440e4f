package bootdyno.cli

import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.Inet4Address
import java.net.NetworkInterface
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText

/** 192.0.2.0/24 is kept for documentation (RFC 5737): nobody has such an address, and nothing is sent to it. */
class OtherHostsTest {
    @TempDir
    lateinit var folder: Path

    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(words.toList())

    private fun experiment(url: String, more: String = ""): String = folder.resolve("x.yaml").apply {
        writeText(
            """
            title: Elsewhere
            variants: { a: { subject: { url: "$url" } } }
            workloads: { noop: { get: /noop } }
            profiles: { p: { closed: 1 } }
            """.trimIndent() + "\n$more",
        )
    }.toString()

    private fun run(file: String, vararg more: String) = dyno("run", file, "--out", folder.resolve("runs").toString(), *more)

    @Test
    fun `run refuses another host before anything is made, and plan warns`() {
        val file = experiment("http://192.0.2.1:8080")
        val said = run(file)
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "the subject of variant a is on another host, 192.0.2.1"
        said.stderr shouldContain "--i-may-load 192.0.2.1"
        Files.exists(folder.resolve("runs")) shouldBe false
        run(file, "--i-may-load", "192.0.2.2,example.test").stderr shouldContain "is on another host"
        val plan = dyno("plan", file)
        plan.statusCode shouldBe ExitCode.FINE
        plan.stdout shouldContain "on another host"
        dyno("plan", file, "--i-may-load", "a.test,192.0.2.1").stdout shouldNotContain "on another host"
    }

    @Test
    fun `loopback needs no leave, however it is written, and a name that looks like it does`() {
        listOf("http://localhost:1", "http://127.1.2.3:1", "http://[::1]:1", "http://LOCALHOST.:1").forEach {
            dyno("plan", experiment(it)).stdout shouldNotContain "on another host"
        }
        dyno("plan", experiment("http://127.0.0.1@192.0.2.1:1")).stdout shouldContain "is on another host, 192.0.2.1"
        dyno("plan", experiment("http://[2001:db8::1]:1")).stdout shouldContain "is on another host, 2001:db8::1"
        dyno("plan", experiment("http://[2001:db8::1]:1"), "--i-may-load", "[2001:DB8::1]").stdout shouldNotContain
            "on another host"
    }

    @Test
    fun `a name without an address is a problem`() {
        val said = run(experiment("http://no-such-host.invalid"))
        said.statusCode shouldBe ExitCode.INPUT
        said.stderr shouldContain "the host no-such-host.invalid has no address"
    }

    private val own: String? = NetworkInterface.networkInterfaces().toList().filter { it.isUp && !it.isLoopback }
        .flatMap { it.inetAddresses().toList() }.filterIsInstance<Inet4Address>().firstOrNull()?.hostAddress

    @Test
    fun `the hosts of our own engine need an address of this machine`() {
        val hosts = "engine: { dyno: { hosts: [ \"load1\" ]"
        fun subject(engine: String) = folder.resolve("x.yaml").apply {
            writeText(
                """
                title: From other hosts
                variants: { a: { subject: { command: [ sleep, 60 ] } } }
                workloads: { noop: { get: /noop } }
                profiles: { p: { closed: 1 } }
                $engine
                """.trimIndent(),
            )
        }.toString()
        run(subject("$hosts } }")).stderr shouldContain "no address is stated to which they send it"
        run(subject("$hosts, target: 192.0.2.9 } }")).stderr shouldContain "target of dyno is on another host, 192.0.2.9"
        run(experiment("http://127.0.0.1:1", "$hosts } }")).stderr shouldContain "they would send to themselves"
        assumeTrue(own != null, "this machine has no address but loopback")
        dyno("plan", subject("$hosts, target: $own } }")).stdout shouldNotContain "on another host"
    }

    @Test
    fun `the host that a script names counts, unless it takes the subject's address`() {
        val script = folder.resolve("load.js")
        script.writeText("import http from 'k6/http'; export default function () { http.get('http://192.0.2.9/orders'); }")
        val file = experiment("http://127.0.0.1:1", "engine: { k6: load.js }")
        run(file).stderr shouldContain "an address in load.js is on another host, 192.0.2.9"
        script.writeText("import http from 'k6/http'; export default () => http.get(__ENV.BASE_URL || 'http://192.0.2.9');")
        dyno("plan", file).output shouldNotContain "192.0.2.9"
        script.writeText(
            "import http from 'k6/http'; export default () => http.post('http://app/x', 'https://no-such-host.invalid/');",
        )
        dyno("plan", file).statusCode shouldBe ExitCode.FINE
        run(file).stderr shouldContain "If you may load it, add --i-may-load no-such-host.invalid."
    }

    @Test
    fun `an address that a script or a plan gets as a value counts`() {
        val script = folder.resolve("load.js")
        script.writeText("import http from 'k6/http'; export default () => http.get(`${'$'}{__ENV.TARGET}/orders`);")
        fun k6(target: String) = experiment("http://127.0.0.1:1", "engine: { k6: { script: load.js, env.TARGET: \"$target\" } }")
        run(k6("https://me@192.0.2.9:8443/api")).stderr shouldContain "env.TARGET of k6 is on another host, 192.0.2.9"
        dyno("plan", k6("http://localhost:8080")).output shouldNotContain "another host"
        dyno("plan", k6("192.0.2.9 times")).output shouldNotContain "another host"
    }

    @Test
    fun `databases, services and the hosts of load engines count as well`() {
        val local = "http://127.0.0.1:1"
        val database = "database: { url: \"postgresql://192.0.2.7:5432/x\", user: me }"
        run(experiment(local, database)).stderr shouldContain "database.url is on another host, 192.0.2.7"
        val remotes = "engine: { jmeter: { remotes: [ \"192.0.2.8:1099\", \"127.0.0.1:1099\" ], target: 192.0.2.9 } }"
        val said = run(experiment(local, remotes), "--i-may-load", "192.0.2.9")
        said.stderr shouldContain "remotes of jmeter is on another host, 192.0.2.8"
        said.stderr shouldNotContain "192.0.2.9"
    }
}
