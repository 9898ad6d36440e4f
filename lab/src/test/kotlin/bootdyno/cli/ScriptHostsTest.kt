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
    fun `a constant with the name of the variable does not hide its address, nor do signs of comments in texts`() {
        hostsIn("const BASE_URL = 'https://shop.example'; http.get(`\${BASE_URL}/orders`);") shouldContainExactly
            listOf("shop.example")
        hostsIn("h = { Accept: '*/*' }; http.get('https://shop.example/a'); h = { Accept: '*/*' };") shouldContainExactly
            listOf("shop.example")
        hostsIn("a.replace(/'/g, ''); http.get('https://shop.example/a');") shouldContainExactly listOf("shop.example")
        hostsIn("ws.connect('wss://shop.example/live');") shouldContainExactly listOf("shop.example")
    }
}
