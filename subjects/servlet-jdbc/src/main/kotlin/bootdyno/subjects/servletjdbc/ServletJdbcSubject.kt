package bootdyno.subjects.servletjdbc

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat with Spring Data JPA: a request holds its thread, and a pooled connection during its transaction. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletJdbcSubject

fun main(args: Array<String>) {
    runApplication<ServletJdbcSubject>(*args)
}
