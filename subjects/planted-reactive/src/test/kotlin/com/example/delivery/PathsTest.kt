package com.example.delivery

import bootdyno.subjects.downstream.DownstreamServer
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.boot.runApplication
import java.net.URI

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathsTest {
    private val downstream = DownstreamServer.start()
    private val application =
        runApplication<DeliveryApplication>("--server.port=0", "--routes.url=http://127.0.0.1:${downstream.port}")

    @AfterAll
    fun stop() {
        application.close()
        downstream.close()
    }

    @ParameterizedTest
    @CsvSource(
        "/wait, quote",
        "/blocked, label",
        "/elastic, archived",
        "/io, invited",
        "/default, planned",
        "/mutex, unloaded",
        "/permits, loaded",
        "/client, '{\"answer\":\"downstream\"}'",
        "/call, '{\"answer\":\"downstream\"}'",
    )
    fun `each path answers`(path: String, answer: String) {
        val port = application.environment.getProperty("local.server.port")
        URI("http://127.0.0.1:$port$path?ms=10").toURL().readText() shouldBe answer
    }
}
