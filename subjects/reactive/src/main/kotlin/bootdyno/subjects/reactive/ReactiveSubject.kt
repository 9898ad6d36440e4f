package bootdyno.subjects.reactive

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** WebFlux on Netty: a few event loops serve every connection, and a handler is expected never to block one. */
@SpringBootApplication(proxyBeanMethods = false)
class ReactiveSubject

fun main(args: Array<String>) {
    runApplication<ReactiveSubject>(*args)
}
