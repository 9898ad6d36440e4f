package bootdyno.subjects.servlet

import bootdyno.subjects.work.contract.RunningSubject
import bootdyno.subjects.work.contract.SubjectContract
import bootdyno.subjects.work.contract.ThreadFamily
import org.springframework.beans.factory.getBean
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.core.env.getRequiredProperty
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping

class ServletOnPlatformThreadsContractTest : SubjectContract(requestThread = ThreadFamily("http-nio-")) {
    override fun start() = RunningServlet(runApplication<ServletSubject>("--server.port=0", QUIET))
}

class ServletOnVirtualThreadsContractTest : SubjectContract(requestThread = ThreadFamily("tomcat-handler-", virtual = true)) {
    override fun start() =
        RunningServlet(runApplication<ServletSubject>("--server.port=0", QUIET, "--spring.threads.virtual.enabled=true"))
}

class RunningServlet(private val context: ConfigurableApplicationContext) : RunningSubject {
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

    override fun stop() = context.close()
}

/** The contract sends broken requests on purpose; each would be a line of warning. */
private const val QUIET = "--logging.level.org.springframework.web=error"
