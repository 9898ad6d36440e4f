package bootdyno.subjects.reactive

import bootdyno.subjects.work.contract.RunningSubject
import bootdyno.subjects.work.contract.SubjectContract
import bootdyno.subjects.work.contract.ThreadFamily
import org.springframework.beans.factory.getBean
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.core.env.getRequiredProperty
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping

class ReactiveOnPlatformThreadsContractTest : SubjectContract(requestThread = ThreadFamily("reactor-http-")) {
    override fun start() = RunningReactive(runApplication<ReactiveSubject>("--server.port=0", QUIET))
}

class ReactiveOnVirtualThreadsContractTest : SubjectContract(requestThread = ThreadFamily("task-", virtual = true)) {
    override fun start() =
        RunningReactive(runApplication<ReactiveSubject>("--server.port=0", QUIET, "--spring.threads.virtual.enabled=true"))
}

class RunningReactive(private val context: ConfigurableApplicationContext) : RunningSubject {
    override val port: Int get() = context.environment.getRequiredProperty<Int>("local.server.port")

    override val routes: Set<String>
        get() =
            context
                .getBean<RequestMappingHandlerMapping>("requestMappingHandlerMapping")
                .handlerMethods
                .filterValues { it.beanType.packageName == "bootdyno.subjects.reactive" }
                .keys
                .flatMap { it.patternsCondition.patterns }
                .map { it.patternString }
                .toSet()

    override fun stop() = context.close()
}

/** The contract sends broken requests on purpose; each would be a line of warning. */
private const val QUIET = "--logging.level.org.springframework.web=error"
