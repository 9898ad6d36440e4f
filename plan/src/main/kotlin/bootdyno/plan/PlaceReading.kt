package bootdyno.plan

import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.plainText
import bootdyno.yaml.Either
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.OpenShape
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Shape
import bootdyno.yaml.bytes
import bootdyno.yaml.choice
import bootdyno.yaml.number
import bootdyno.yaml.text
import bootdyno.yaml.toText

/** The JRE of the newest long-term release; no build tools are needed. */
const val DEFAULT_BASE_IMAGE = "eclipse-temurin:25-jre"

/** Values of `in` and `--in`. */
val PLACES: Map<String, RunPlace> = mapOf("process" to RunPlace.Process, "docker" to RunPlace.Docker(DEFAULT_BASE_IMAGE))

/** Repository, tag and digest as for `docker`; never a text that `docker` reads as a flag. */
private val IMAGE_NAME = Regex("[A-Za-z0-9][A-Za-z0-9._:/@-]*")

internal fun image(example: String) = text("the name of an image", IMAGE_NAME, "write repository:tag, as in $example")

private object DockerKeys : Shape<RunPlace, RunPlace.Docker>("containers", "Run subjects in containers.") {
    private val docker by key(image(DEFAULT_BASE_IMAGE), "Base image of the subject's image, with a JRE.", required = true) {
        it.baseImage
    }

    override fun make(fields: Fields) = fields[docker]?.let(RunPlace::Docker)
}

internal val PLACE = Either(choice(PLACES), DockerKeys, make = DockerKeys::write)

/** The file's place, changed by the flags `--in` and `--base-image`. */
internal fun placeOf(written: RunPlace?, overrides: Overrides, problems: Problems): RunPlace? {
    val place = when (val asked = overrides.place) {
        null -> written ?: RunPlace.Process
        RunPlace.Process -> asked
        is RunPlace.Docker -> written as? RunPlace.Docker ?: asked
    }
    val base = overrides.baseImage ?: return place
    val flag = Place("--base-image $base")
    return when {
        place !is RunPlace.Docker -> problems.add(flag, "", "has no effect outside of containers", "add --in docker")
        !IMAGE_NAME.matches(base) -> problems.add(flag, "", "`$base` is not the name of an image", "write repository:tag")
        else -> place.copy(baseImage = base)
    }
}

/** Reports at [entry] a measured variant that cannot run in a container. */
internal fun checkPlace(place: RunPlace?, entry: Entry, read: VariantRead) {
    if (place !is RunPlace.Docker) return
    val form = read.variant.runtime
    if (!form.inImages) {
        val forms = RuntimeForm.entries.filter { it.inImages }.joinToString { it.word }
        entry.problem("`runtime: ${form.word}` cannot be put into an image", "in docker there are $forms; leave it out with only")
    }
    when (read.subject.origin) {
        is Origin.Jar, is Origin.Image -> Unit
        is Origin.Command -> entry.problem("a command cannot be put into an image", "give the jar it starts, or leave out docker")
        is Origin.Url -> entry.problem("a server that already runs is not put into a container", "leave out docker")
    }
}

private const val UNLIMITED = "unlimited"
private const val ALL_CPUS = Double.POSITIVE_INFINITY
private val ALL_MEMORY = Bytes(Long.MAX_VALUE)
private const val CPU_BY = "`pinning`: run on this number of whole CPUs. `quota`: run on all CPUs, throttled to this CPU time."

internal object LimitsKeys : OpenShape<Limits>("limits", "CPU and memory limits of each subject.") {
    val cpus by key(number(CPUS).or(UNLIMITED, ALL_CPUS), "CPUs, at most those of the machine.", 1.0) { it.cpus ?: ALL_CPUS }
    val memory by key(bytes(MEMORY).or(UNLIMITED, ALL_MEMORY), "Memory, at most that of the machine.", Bytes(Bytes.GIB)) {
        it.memory ?: ALL_MEMORY
    }
    val cpuBy by key(choice<CpuBy>(), CPU_BY, CpuBy.PINNING) { it.cpuBy }
    val default get() = Limits(cpus.default, memory.default, cpuBy.default)
}

/**
 * @param machine that will run the plan; null when unknown
 * @param others values of keys that are left out
 */
internal fun readLimits(fields: Fields, machine: Machine?, others: Limits = LimitsKeys.default): Limits {
    val cpus = if (fields.at(LimitsKeys.cpus) == null) others.cpus else fields[LimitsKeys.cpus].takeIf(Double::isFinite)
    val isMemorySet = fields.at(LimitsKeys.memory) != null
    val memory = if (isMemorySet) fields[LimitsKeys.memory].takeIf { it != ALL_MEMORY } else others.memory
    val cpuBy = if (fields.at(LimitsKeys.cpuBy) == null) others.cpuBy else fields[LimitsKeys.cpuBy]
    val at = fields.at(LimitsKeys.cpus)
    if (cpus != null && cpuBy == CpuBy.PINNING && cpus % 1.0 != 0.0) {
        at?.problem("pinning gives whole CPUs, not ${plainText(cpus)}", "a share of a CPU needs cpu-by: quota")
    }
    if (cpus != null && machine != null && cpus > machine.cpus) {
        at?.problem("${plainText(cpus)} CPUs are more than this machine has", "it has ${machine.cpus}: write at most that")
    }
    val all = machine?.memory
    if (memory != null && all != null && memory > all) {
        val hint = "it has ${all.count / Bytes.MIB} MiB: write less than that"
        fields.at(LimitsKeys.memory)?.problem("${memory.toText()} is more memory than this machine has", hint)
    }
    return Limits(cpus, memory, cpuBy)
}
