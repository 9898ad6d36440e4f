package bootdyno.subjects.servlet

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat: each request occupies a thread until its response, or until it is handed over. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletSubject

fun main(args: Array<String>) {
    runApplication<ServletSubject>(*args)
}
