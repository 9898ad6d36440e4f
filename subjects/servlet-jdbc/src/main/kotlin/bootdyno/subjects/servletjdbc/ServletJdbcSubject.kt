package bootdyno.subjects.servletjdbc

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat with Spring Data JPA: a request occupies its thread, and during its transaction a pooled connection. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletJdbcSubject

fun main(args: Array<String>) {
    runApplication<ServletJdbcSubject>(*args)
}
