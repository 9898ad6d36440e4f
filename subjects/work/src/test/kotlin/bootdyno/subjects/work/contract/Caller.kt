package bootdyno.subjects.work.contract

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.concurrent.CompletableFuture

data class Answer(val status: Int, val contentType: String, val body: String, val tookMs: Double)

/**
 * Sends GET requests to a subject on this machine, each on a connection of its own; gives up after 20 s.
 *
 * Kept connections would make the contract fail by chance: Reactor Netty 1.3.6 sometimes stops reading one whose next
 * request comes right after an answer that another thread wrote (github.com/reactor/reactor-netty/issues/4361).
 */
class Caller(port: Int) {
    init {
        // The client lets nobody close its connections unless told so before the first of its kind is made.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection")
    }

    private val base = "http://127.0.0.1:$port"
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    fun ask(pathAndQuery: String): Answer = askLater(pathAndQuery).join()

    fun askLater(pathAndQuery: String): CompletableFuture<Answer> {
        val request =
            HttpRequest.newBuilder(URI(base + pathAndQuery)).header("Connection", "close").timeout(Duration.ofSeconds(20)).build()
        val start = System.nanoTime()
        return client.sendAsync(request, BodyHandlers.ofString()).thenApply { response ->
            Answer(
                status = response.statusCode(),
                contentType = response.headers().firstValue("content-type").orElse("none").substringBefore(';'),
                body = response.body(),
                tookMs = (System.nanoTime() - start) / 1e6,
            )
        }
    }
}
