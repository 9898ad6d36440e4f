package bootdyno.cli

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import org.junit.jupiter.api.Test

class ScriptHostsTest {
    @Test
    fun `the hosts of addresses in the code of a script are found, each once`() {
        val script = """
            import http from 'k6/http';
            import { uuid } from 'https://jslib.example/1.0/index.js';
            const base = "https://Shop.example:8443/api";
            export default function () { http.get('http://10.0.0.7/orders'); http.get(`http://10.0.0.7/${'$'}{__ITER}`); }
        """
        hostsIn(script) shouldContainExactly listOf("shop.example", "10.0.0.7")
        hostsIn("http.baseUrl(\"https://staging.example\")") shouldContainExactly listOf("staging.example")
    }

    @Test
    fun `comments do not count, nor does any address of a script that takes the subject's`() {
        hostsIn("// http.get('http://a.example/')\n/* \"http://b.example\"\n */ run();").shouldBeEmpty()
        hostsIn("const base = __ENV.BASE_URL || 'https://staging.example';").shouldBeEmpty()
        hostsIn("const { BASE_URL, USERS } = __ENV; const other = 'https://staging.example';").shouldBeEmpty()
        hostsIn("String base = System.getProperty(\"baseUrl\", \"https://staging.example\");").shouldBeEmpty()
    }

    @Test
    fun `the default of another variable counts, unless the variable is given`() {
        val script = "const base = __ENV.BASE_URL || 'https://a.example';\n" +
            "const api = (__ENV.API_URL ?? \"https://b.example/v1\").trim();"
        hostsIn(script) shouldContainExactly listOf("b.example")
        hostsIn(script, setOf("API_URL")).shouldBeEmpty()
        hostsIn("const api = __ENV.API_URL || 'https://b.example'; http.get(api);", setOf("API_URL")).shouldBeEmpty()
        val java = "b.baseUrl(System.getProperty(\"baseUrl\")); a = System.getProperty(\"auth\", \"https://c.example\");"
        hostsIn(java) shouldContainExactly listOf("c.example")
        hostsIn(java, setOf("auth")).shouldBeEmpty()
    }

    @Test
    fun `a constant with the name of the variable does not hide its address, nor do signs of comments in texts`() {
        hostsIn("const BASE_URL = 'https://shop.example'; http.get(`\${BASE_URL}/orders`);") shouldContainExactly
            listOf("shop.example")
        hostsIn("h = { Accept: '*/*' }; http.get('https://shop.example/a'); h = { Accept: '*/*' };") shouldContainExactly
            listOf("shop.example")
        hostsIn("a.replace(/'/g, ''); http.get('https://shop.example/a');") shouldContainExactly listOf("shop.example")
        hostsIn("ws.connect('wss://shop.example/live');") shouldContainExactly listOf("shop.example")
    }

    @Test
    fun `other hosts of requests are found beside the subject's address, but neither defaults nor texts`() {
        val base = "const base = __ENV.BASE_URL || 'https://staging.example';\n"
        hostsIn(base + "http.post('https://auth.example/token', { redirect: 'https://text.example' });") shouldContainExactly
            listOf("auth.example")
        hostsIn(base + "const AUTH: string = `https://auth.example`; http.get(`\${AUTH}/a`); http.get(`\${base}/b`);")
            .shouldContainExactly(listOf("auth.example"))
        hostsIn(base + "http.batch([['GET', 'https://a.example/'], ['GET', base]]); http.request('PUT', \"https://b.example\")")
            .shouldContainExactly(listOf("a.example", "b.example"))
        hostsIn(base + "http.batch(['https://a.example/1',\n `https://b.example`]); http.batch([{ url: 'https://c.example' }]);")
            .shouldContainExactly(listOf("a.example", "b.example", "c.example"))
        hostsIn(base + "http.batch([`\${base}/a`, { url: base }]);").shouldBeEmpty()
        hostsIn(base + "let u = 'https://c.example'; if (__ENV.X) u = __ENV.X; http.get(u); h = { Origin: u };").shouldBeEmpty()
        hostsIn(base + "http.get(http.url`https://d.example/\${id}`); res.get(service); h = { Origin: 'https://e.example' };")
            .shouldContainExactly(listOf("d.example"))
        val java = "String AUTH = \"https://auth.example\"; b.baseUrl(System.getProperty(\"baseUrl\")).get(AUTH + \"/a\")"
        hostsIn(java) shouldContainExactly listOf("auth.example")
    }
}
