package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.codeOf
import bootdyno.engine.pathOfDefault
import bootdyno.model.EngineSpec
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.setPosixFilePermissions
import kotlin.io.path.writeText

class K6OptionsTest(@param:TempDir private val folder: Path) {
    private fun spec(script: Path? = null, vararg options: Pair<String, String>) =
        EngineSpec("k6", script?.toString(), options.toMap())

    private fun refusal(spec: EngineSpec) = shouldThrow<EngineFailed> { k6Options(spec) }.message.orEmpty()

    /** A program that prints [words], whatever it is asked. */
    private fun program(words: String): Path = folder.resolve("k6").also {
        it.writeText("#!/bin/sh\necho '$words'\n")
        it.setPosixFilePermissions(PosixFilePermissions.fromString("rwxr-xr-x"))
    }

    @Test
    fun `addresses without a domain and of this machine are found, each once, but not in comments`() {
        localAddresses(
            "get('http://App:8080/x'); get(`http://api/${'$'}{id}`); 'http://a.example'; \"http://${'$'}{HOST}/\"\n" +
                "  // get('http://old:8080/x');\nget(`http://app:8080/y`); get('http://app:9090'); `http://b:${'$'}{port}`\n" +
                "'http://127.0.0.1:8081/x'; 'http://localhost:8081'; 'http://127.0.0.10'; 'http://host.docker.internal/y'",
        ) shouldBe setOf("app:8080", "api", "app:9090", "b", "localhost:8081", "host.docker.internal")
    }

    @Test
    fun `the address of a script has the path of its own default, also in a file that it imports`() {
        fun pathOf(code: String): String {
            folder.resolve("config.js").writeText("import './load.js'; $code")
            return pathOfDefault(codeOf(folder.resolve("load.js").also { it.writeText("import { BASE } from './config.js';") }))
        }
        pathOf("export const BASE = __ENV.BASE_URL || 'http://localhost:8080/api/v1';") shouldBe "/api/v1"
        pathOf("const base = __ENV['BASE_URL'] ?? `http://app/api/`;") shouldBe "/api/"
        pathOf("const base = __ENV.BASE_URL || 'http://localhost:8080'; get('http://localhost:8080/api');") shouldBe ""
    }

    @Test
    fun `users are for our own load, and variables for a user's script`() {
        val script = folder.resolve("load.js").also { it.writeText("") }
        k6Options(spec(null, "vus" to "50")) shouldBe K6Options(vus = 50)
        k6Options(spec(script, "env.USERS" to "5")) shouldBe K6Options(environment = mapOf("USERS" to "5"), script = script)
        refusal(spec(script, "vus" to "5")) shouldContain "`vus` cannot be used with a script"
        refusal(spec(null, "env.USERS" to "5")) shouldContain "`env.USERS` cannot be used without a script"
    }

    @Test
    fun `unknown and invalid options are refused with those it knows, and so is a script that is not there`() {
        refusal(spec(null, "vu" to "5")) shouldContain "no option `vu`. The options are: vus, env.*"
        refusal(spec(null, "vus" to "0")) shouldContain "`vus` is `0`"
        refusal(spec(Path.of("/no/such.js"))) shouldContain "/no/such.js cannot be read"
    }

    @Test
    fun `a machine without k6 says how to get it, and an old or another program is refused`() {
        shouldThrow<EngineFailed> { k6Program(null) }.message shouldContain "k6 is not installed: brew install k6"
        shouldThrow<EngineFailed> { k6Program(Path.of("/bin/echo")) }.message shouldContain "is not k6"
        shouldThrow<EngineFailed> { k6Program(program("k6 v0.49.0 (go1.21.6, linux/amd64)")) }.message shouldContain
            "is k6 0.49.0, and k6 0.57 or newer is needed"
        k6Program(program("k6 v1.8.1 (commit/devel, go1.25.3, linux/amd64)")).version shouldBe "1.8.1"
        k6Program(program("k6 v0.57.0 (go1.23.6, linux/amd64)")).version shouldBe "0.57.0"
    }
}
