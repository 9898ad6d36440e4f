package bootdyno.subjects.servlet

import org.apache.coyote.ProtocolHandler
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import java.util.concurrent.Executors

/**
 * Virtual threads as configured before Spring Boot had a setting for them: an executor replaces Tomcat's pool.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("subject.executor", havingValue = "virtual")
class VirtualExecutor {
    @Bean
    fun virtualThreads() = TomcatProtocolHandlerCustomizer<ProtocolHandler> { handler ->
        handler.executor = Executors.newVirtualThreadPerTaskExecutor()
    }
}
