package bootdyno.plan

import bootdyno.keys.readSubject
import bootdyno.model.HttpVersion
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import bootdyno.yaml.Read
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
        val named = read("url: https://127.0.0.1:8443\nserver-name: shop.example") as Read.Sound
        named.value.serverName shouldBe "shop.example"
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
