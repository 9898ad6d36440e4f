package bootdyno.subjects.reactive

import bootdyno.subjects.downstream.Distribution
import bootdyno.subjects.downstream.DownstreamServer
import bootdyno.subjects.downstream.Settings
import bootdyno.subjects.downstream.Waiting
import bootdyno.subjects.work.contract.RunningSubject
import bootdyno.subjects.work.contract.SubjectContract
import bootdyno.subjects.work.contract.ThreadFamily
import bootdyno.subjects.work.contract.onLastingPort
import bootdyno.subjects.work.contract.onPortAgain
import org.junit.jupiter.api.Tag
import org.springframework.beans.factory.getBean
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.core.env.getRequiredProperty
import org.springframework.web.reactive.function.server.RouterFunction
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping

class ReactiveOnPlatformThreadsContractTest : SubjectContract(ThreadFamily("reactor-http-"), callsAtOnce = 600) {
    override fun start() = RunningReactive()
}

@Tag("full")
class ReactiveOnVirtualThreadsContractTest : SubjectContract(ThreadFamily("task-", virtual = true), callsAtOnce = 600) {
    override fun start() = RunningReactive("--spring.threads.virtual.enabled=true")
}

class RunningReactive(vararg settings: String) : RunningSubject {
    private var downstream = onLastingPort { DownstreamServer.start(Settings(port = it, waiting = Waiting(Distribution.FIXED))) }
    private val context: ConfigurableApplicationContext = runApplication<ReactiveSubject>(
        "--server.port=0",
        QUIET,
        "--downstream.url=http://127.0.0.1:${downstream.port}",
        *settings,
    )
    override val downstreamPort: Int = downstream.port
    override val port: Int get() = context.environment.getRequiredProperty<Int>("local.server.port")

    override val routes: Set<String> get() = annotated() + functional()

    private fun annotated() = context
        .getBean<RequestMappingHandlerMapping>("requestMappingHandlerMapping")
        .handlerMethods
        .filterValues { it.beanType.packageName == "bootdyno.subjects.reactive" }
        .keys
        .flatMap { it.patternsCondition.patterns }
        .map { it.patternString }
        .toSet()

    /** A router function tells its routes as text: `(GET && /downstream) -> …`. */
    private fun functional() = context.getBeansOfType(RouterFunction::class.java).values
        .flatMap { route -> Regex("""&& (/[^)]+)\)""").findAll("$route").map { it.groupValues[1] } }

    override fun restartDownstream() {
        downstream.close()
        downstream =
            onPortAgain(downstreamPort) { DownstreamServer.start(Settings(port = it, waiting = Waiting(Distribution.FIXED))) }
    }

    override fun stop() {
        downstream.close()
        context.close()
    }
}

/** The contract sends broken requests and stops with calls under way, on purpose; each would be a line of warning. */
private const val QUIET = "--logging.level.root=off"
