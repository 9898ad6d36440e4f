package bootdyno.subjects.reactive

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** WebFlux on Netty: a few event loops serve all connections, and handlers must not block them. */
@SpringBootApplication(proxyBeanMethods = false)
class ReactiveSubject

fun main(args: Array<String>) {
    runApplication<ReactiveSubject>(*args)
}
