package bootdyno.subjects.servletjdbcclient

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat with plain SQL: what its twin with JPA does, statement by statement, without the mapper. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletJdbcClientSubject

fun main(args: Array<String>) {
    runApplication<ServletJdbcClientSubject>(*args)
}
