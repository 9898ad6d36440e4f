package bootdyno.subjects.servletjdbcclient

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat with plain SQL: the same statements as its JPA variant, without an ORM. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletJdbcClientSubject

fun main(args: Array<String>) {
    runApplication<ServletJdbcClientSubject>(*args)
}
