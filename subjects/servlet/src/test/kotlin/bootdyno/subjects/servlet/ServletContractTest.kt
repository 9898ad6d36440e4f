package bootdyno.subjects.servlet

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
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping

class ServletOnPlatformThreadsContractTest : SubjectContract(ThreadFamily("http-nio-"), callsAtOnce = 200) {
    override fun start() = RunningServlet()
}

@Tag("full")
class ServletOnVirtualThreadsContractTest : SubjectContract(ThreadFamily("tomcat-handler-", virtual = true), callsAtOnce = 600) {
    override fun start() = RunningServlet("--spring.threads.virtual.enabled=true")
}

/** The threads of its executor have no names. */
@Tag("full")
class ServletOnVirtualExecutorContractTest : SubjectContract(ThreadFamily("", virtual = true), callsAtOnce = 600) {
    override fun start() = RunningServlet("--subject.executor=virtual")
}

class RunningServlet(vararg settings: String) : RunningSubject {
    private var downstream = onLastingPort { DownstreamServer.start(Settings(port = it, waiting = Waiting(Distribution.FIXED))) }
    private val context: ConfigurableApplicationContext = runApplication<ServletSubject>(
        "--server.port=0",
        QUIET,
        "--downstream.url=http://127.0.0.1:${downstream.port}",
        *settings,
    )
    override val downstreamPort: Int = downstream.port
    override val port: Int get() = context.environment.getRequiredProperty<Int>("local.server.port")

    override val routes: Set<String>
        get() =
            context
                .getBean<RequestMappingHandlerMapping>("requestMappingHandlerMapping")
                .handlerMethods
                .filterValues { it.beanType.packageName == "bootdyno.subjects.servlet" }
                .keys
                .flatMap { it.patternValues }
                .toSet()

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
