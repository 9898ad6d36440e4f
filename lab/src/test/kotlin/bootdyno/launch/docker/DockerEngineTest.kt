package bootdyno.launch.docker

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test

class DockerEngineTest {
    @Test
    fun `where there is no command it says what to install`() {
        whyNoDocker(null).shouldNotBeNull() shouldContain "There is no docker command on the PATH. Install it"
    }

    @Test
    fun `an engine that does not answer is told how to be reached`() {
        val cli = DockerCli.found()
        assumeTrue(cli != null, "no docker on the PATH")
        val why = whyNoDocker(cli?.at("unix:///nowhere/docker.sock")).shouldNotBeNull()
        why shouldContain "No Docker engine answers: Cannot connect"
        why shouldContain "DOCKER_HOST"
    }
}
