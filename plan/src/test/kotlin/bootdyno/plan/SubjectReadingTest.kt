package bootdyno.plan

import bootdyno.model.HttpVersion
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.minutes

class SubjectReadingTest {
    @Test
    fun `https and http are those of the subject, and an address says by itself whether it is https`() {
        fun read(text: String) = readSubject("subject.yaml", "subject: a\n$text") { it }
        val sound = read("jar: a.jar\nhttps: true\nhttp: 2") as Read.Sound
        sound.value.https shouldBe true
        sound.value.http shouldBe HttpVersion.HTTP_2
        (read("jar: a.jar\nhttp: 1.1") as Read.Sound).value.http shouldBe HttpVersion.HTTP_1_1
        (read("url: https://127.0.0.1:8443") as Read.Sound).value.origin shouldBe Origin.Url("https://127.0.0.1:8443")
        (read("url: https://127.0.0.1:8443\nhttps: true") as Read.Unsound).problems.single().message shouldBe
            "has no effect beside `url`"
        (read("jar: a.jar\nhttp: 3") as Read.Unsound).problems.size shouldBe 1
    }

    @Test
    fun `a descriptor becomes a subject with the absolute path of its jar`() {
        val text = """
            subject: servlet
            title: Spring MVC on Tomcat
            stack: tomcat
            jar: target/servlet.jar
            ready: /noop
            ready-within: 5 min
            styles:
              /blockingIO: { style: "blocking", occupies: request-thread }
            statements: { read: [ BEGIN, SELECT, COMMIT ], refused: [] }
        """.trimIndent()
        readSubject("subject.yaml", text) { "/subjects/servlet/$it" } shouldBe Read.Sound(
            Subject(
                name = "servlet",
                origin = Origin.Jar("/subjects/servlet/target/servlet.jar"),
                stack = Stack.TOMCAT,
                readyPath = "/noop",
                styles = listOf(Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD)),
                statements = mapOf("read" to listOf("BEGIN", "SELECT", "COMMIT"), "refused" to emptyList()),
                readyWithin = 5.minutes,
            ),
        )
    }

    @Test
    fun `a descriptor may name a pool of a style, and where its counts are`() {
        val text = """
            subject: caller
            jar: target/caller.jar
            counts: /counts
            styles:
              /call: { style: call, occupies: nothing, pool: { of: connections, setting: client.connections, size: 50 } }
        """.trimIndent()
        val subject = (readSubject("subject.yaml", text) { it } as Read.Sound).value
        subject.countsPath shouldBe "/counts"
        subject.readyPath shouldBe null
        subject.styles.single().pool shouldBe Pool("connections", "client.connections", 50)
        val wrong = readSubject("subject.yaml", text.replace("size: 50", "size: 0").replace("of: ", "off: ")) {
            it
        } as Read.Unsound
        wrong.problems.map(::line).shouldContainExactly(
            "5:50 styles./call.pool.of: `of` is missing",
            "5:52 styles./call.pool.off: unknown key `off` (did you mean `of`?)",
            "5:105 styles./call.pool.size: `0` is not a whole number from 1 to 1,000,000",
        )
    }

    @Test
    fun `its problems are all found`() {
        val text = "stack: tomcta\nstyles:\n  blocking: { style: blocking, occupies: threads }\n  /x: { styl: y }"
        val found = readSubject("subject.yaml", text) { it } as Read.Unsound
        found.problems.map(::line).shouldContainExactly(
            "1:1 subject: `subject` is missing",
            "1:1 : needs one of jar, command, image, url",
            "1:8 stack: `tomcta` is not one of tomcat, netty, unknown (did you mean `tomcat`?)",
            "3:3 styles.blocking: `blocking` is not a path (it begins with /)",
            "3:42 styles.blocking.occupies: `threads` is not one of $OCCUPIABLE (known: $OCCUPIABLE)",
            "4:7 styles./x.style: `style` is missing",
            "4:7 styles./x.occupies: `occupies` is missing",
            "4:9 styles./x.styl: unknown key `styl` (did you mean `style`?)",
        )
    }

    @Test
    fun `subjects declared in place are told apart by all they say, not by the name of their file`() {
        val text = """
            title: Two builds and two commands
            variants:
              before: { subject: { jar: old/app.jar } }
              after: { subject: { jar: new/app.jar } }
              after-virtual: { subject: { jar: new/app.jar }, settings: { spring.threads.virtual.enabled: true } }
              one: { subject: { command: [ ./serve, "1" ] } }
              two: { subject: { command: [ ./serve, "2" ] } }
            workloads: { get: { get: / } }
            profiles: { few: { closed: 4 } }
        """.trimIndent()
        val plan = sound(text)
        plan.cells.map { it.subject.name } shouldBe
            listOf("jar:app.jar", "jar:app.jar#2", "jar:app.jar#2", "command:./serve", "command:./serve#2")
        plan.cells.map { it.subject.origin } shouldBe listOf(
            Origin.Jar("/home/me/old/app.jar"),
            Origin.Jar("/home/me/new/app.jar"),
            Origin.Jar("/home/me/new/app.jar"),
            Origin.Command(listOf("./serve", "1")),
            Origin.Command(listOf("./serve", "2")),
        )
        sound(planText(plan)).cells.map { it.subject } shouldBe plan.cells.map { it.subject }
    }
}

private const val OCCUPIABLE = "request-thread, event-loop, dispatchers-io, dispatchers-default, bounded-elastic, parallel, " +
    "fixed-pool, semaphore, cached-pool, nothing"
