package bootdyno.subjects.reactiver2dbc

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** WebFlux on Netty with Spring Data R2DBC: a request occupies a pooled connection during its transaction, but no thread. */
@SpringBootApplication(proxyBeanMethods = false)
class ReactiveR2dbcSubject

fun main(args: Array<String>) {
    runApplication<ReactiveR2dbcSubject>(*args)
}
