package bootdyno.keys

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.RunPlace
import bootdyno.yaml.Either
import bootdyno.yaml.Fields
import bootdyno.yaml.OpenShape
import bootdyno.yaml.Shape
import bootdyno.yaml.bytes
import bootdyno.yaml.choice
import bootdyno.yaml.number
import bootdyno.yaml.text

/** The JRE of the newest long-term release; no build tools are needed. */
const val DEFAULT_BASE_IMAGE = "eclipse-temurin:25-jre"

/** Values of `in` and `--in`. */
val PLACES: Map<String, RunPlace> = mapOf("process" to RunPlace.Process, "docker" to RunPlace.Docker(DEFAULT_BASE_IMAGE))

/** Repository, tag and digest as for `docker`; never a text that `docker` reads as a flag. */
internal val IMAGE_NAME = Regex("[A-Za-z0-9][A-Za-z0-9._:/@-]*")

internal fun image(example: String) = text("the name of an image", IMAGE_NAME, "write repository:tag, as in $example")

private object DockerKeys : Shape<RunPlace, RunPlace.Docker>("containers", "Run subjects in containers.") {
    private val docker by key(image(DEFAULT_BASE_IMAGE), "Base image of the subject's image, with a JRE.", required = true) {
        it.baseImage
    }

    override fun make(fields: Fields) = fields[docker]?.let(RunPlace::Docker)
}

internal val PLACE = Either(choice(PLACES), DockerKeys, make = DockerKeys::write)

private const val UNLIMITED = "unlimited"
private const val ALL_CPUS = Double.POSITIVE_INFINITY
internal val ALL_MEMORY = Bytes(Long.MAX_VALUE)
private const val CPU_BY = "`pinning`: run on this number of whole CPUs. `quota`: run on all CPUs, throttled to this CPU time."

internal object LimitsKeys : OpenShape<Limits>("limits", "CPU and memory limits of each subject.") {
    val cpus by key(number(CPUS).or(UNLIMITED, ALL_CPUS), "CPUs, at most those of the machine.", 1.0) { it.cpus ?: ALL_CPUS }
    val memory by key(bytes(MEMORY).or(UNLIMITED, ALL_MEMORY), "Memory, at most that of the machine.", Bytes(Bytes.GIB)) {
        it.memory ?: ALL_MEMORY
    }
    val cpuBy by key(choice<CpuBy>(), CPU_BY, CpuBy.PINNING) { it.cpuBy }
    val default get() = Limits(cpus.default, memory.default, cpuBy.default)
}
