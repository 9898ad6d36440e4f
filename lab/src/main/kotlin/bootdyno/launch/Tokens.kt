package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.Stage
import bootdyno.model.Step
import bootdyno.model.Workload
import java.io.IOException
import java.net.URI
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * [workload] with what those steps of its login capture that go to other servers, as parameters: the token of client credentials, for example.
 * Each is sent once for all users, and is no load. Throws [LaunchFailed].
 */
fun withTokens(workload: Workload, timeout: Duration = 30.seconds): Workload {
    val elsewhere = workload.loginRequests().filter { it.isElsewhere }.ifEmpty { return workload }
    val values = elsewhere.fold(workload.parameters) { so, step -> so + tokensOf(step, timeout) }
    return workload.copy(login = workload.login.filterNot { it.isElsewhere }, parameters = values)
}

private fun tokensOf(step: Step, timeout: Duration): Map<String, String> {
    val base = URI.create(step.path).let { URI.create("${it.scheme}://${it.rawAuthority}") }
    val asked = "login ${step.name}: ${step.method} $base"
    fun failed(reason: String): Nothing = throw LaunchFailed(Stage.VERIFY, "$asked $reason.")
    fun wrong(why: String): Nothing = failed("answered wrongly: $why")
    val answer = try {
        VerificationClient(base).use { it.ask(step.copy(path = step.path.removePrefix("$base").ifEmpty { "/" }), timeout) }
    } catch (none: IOException) {
        failed("got no whole answer: ${none.message ?: none.javaClass.simpleName}")
    } catch (invalid: IllegalArgumentException) {
        failed("cannot be sent: ${invalid.message ?: "the host ${base.host} has no address"}")
    }
    loginMismatch(step, answer, listOf(step))?.let(::wrong)
    return captured(step, answer, ::wrong)
}
