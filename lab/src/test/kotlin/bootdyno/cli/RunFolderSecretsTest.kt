package bootdyno.cli

import bootdyno.measure.engines
import bootdyno.model.Ending
import bootdyno.model.LimitsFound
import bootdyno.model.Plan
import bootdyno.model.Stage
import bootdyno.model.SubjectFound
import bootdyno.model.TrialRecord
import bootdyno.plan.Surroundings
import bootdyno.plan.planText
import bootdyno.plan.readPlan
import bootdyno.schedule.trialsOfRound
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
import bootdyno.store.hiddenIn
import bootdyno.store.keep
import bootdyno.store.redact
import bootdyno.yaml.Read
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The word is planted wherever an experiment may hold a secret; no file of the run and no line on the terminal may repeat it. */
class RunFolderSecretsTest {
    @TempDir
    lateinit var folder: Path

    private val experiment = """
        title: Secrets at http://me:$PLANTED@127.0.0.1:1/x
        variants:
          url: { subject: { url: "http://me:$PLANTED@127.0.0.1:1", ready: "/health?token=$PLANTED", counts: "/c?api_key=$PLANTED" } }
          command:
            subject: { command: [ ./serve, "--password=$PLANTED", "--token", "$PLANTED", "jdbc:postgresql://db/x?user=a&password=$PLANTED" ] }
            settings:
              spring.datasource.url: "jdbc:postgresql://me:$PLANTED@db/x"
              other.url: "http://h/?access_token=$PLANTED&size=5"
              oracle: "jdbc:oracle:thin:scott/$PLANTED@db"
              my.secret: $PLANTED
            env: { DB_PASS: $PLANTED, OPTIONS: "-Dmy.password=$PLANTED" }
        workloads:
          one:
            post: "/x?password=$PLANTED&pw=$PLANTED"
            body: '{ "password": "$PLANTED" }'
            headers:
              Authorization: Bearer $PLANTED
              Proxy-Authorization: Basic $PLANTED
              Cookie: "a=$PLANTED; b=$PLANTED"
              X-Session: $PLANTED
              X-Session-Id: $PLANTED
              X-Auth-User: $PLANTED
              X-Api-Key: $PLANTED
            expect: { body: 'token=$PLANTED' }
          chain:
            chain: { login: { get: "/l?token={token}", headers: { Set-Cookie: "x=$PLANTED" } } }
            parameters: { token: $PLANTED }
        profiles: { p: { closed: 1 } }
        only: [ "*/one" ]
        engine: { jmeter: { properties: { password: $PLANTED } } }
    """.trimIndent()

    @Test
    fun `no file of a run folder and nothing on the terminal has a secret of the experiment`() {
        val plan = plan()
        val run = SampleRun.folder(folder, "secrets", plan, planText(redact(plan)))
        trialsOfRound(plan, 1, 1).forEach { trial ->
            val record = TrialRecord(
                trial = trial,
                ending = Ending.Failed(
                    Stage.READY,
                    "no answer from http://me:$PLANTED@127.0.0.1:1/?password=$PLANTED",
                    listOf("Set-Cookie: x=$PLANTED; Path=/", "sent Authorization: Bearer $PLANTED", "> X-Auth-Token: $PLANTED"),
                ),
                startedAt = "2026-11-20T10:15:00Z",
                limits = LimitsFound(
                    "none",
                    null,
                    null,
                    null,
                    null,
                    null,
                    listOf("The server at http://me:$PLANTED@h already ran."),
                ),
                subject = SubjectFound(1, listOf("./serve", "--password=$PLANTED", "--token", PLANTED), null, null, null, null),
            )
            run.keep(TrialOutcome(record))
        }
        writeReports(judge(run) {}, run) {}
        Files.walk(run.path).use { files ->
            files.filter { it.isRegularFile() && PLANTED in it.readText() }.map { "$it" }.toList()
        }.shouldBeEmpty()
        hiddenIn(run.read().plan) shouldContain "engine jmeter: properties.password"

        val file = folder.resolve("secrets.yaml").apply { writeText(experiment) }
        val secret = "variants.command.settings.new.password=$PLANTED"
        listOf(
            listOf("plan", "$file", "--full", "--set", secret),
            listOf("plan", "$file", "--set", "$secret x: y"),
        ).forEach { words ->
            val said = dyno(Home(folder)).test(words)
            said.output shouldNotContain PLANTED
        }
        dyno(Home(folder)).test(listOf("report", "${run.path}")).output shouldNotContain PLANTED
    }

    private fun plan(): Plan {
        val planned = readPlan("secrets.yaml", experiment, Surroundings(engines = engines().map { it.kind }))
        return (planned as? Read.Sound<Plan>)?.value ?: error("$planned")
    }

    private companion object {
        const val PLANTED = "hunter2xyz"
    }
}
