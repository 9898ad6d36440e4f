package bootdyno.subjects.servlet

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Spring MVC on Tomcat: every request has a thread of its own until it is answered or handed on. */
@SpringBootApplication(proxyBeanMethods = false)
class ServletSubject

fun main(args: Array<String>) {
    runApplication<ServletSubject>(*args)
}
