package bootdyno.plan

import bootdyno.keys.ALL_MEMORY
import bootdyno.keys.IMAGE_NAME
import bootdyno.keys.LimitsKeys
import bootdyno.keys.VariantRead
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm
import bootdyno.model.plainText
import bootdyno.yaml.Entry
import bootdyno.yaml.Fields
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.toText

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
    if (read.variant.workingDirectory != null) {
        entry.problem("an application in a container does not start in a folder of this machine", "remove `working-directory`")
    }
    when (read.subject.origin) {
        is Origin.Jar, is Origin.Image -> Unit
        is Origin.Command -> entry.problem("a command cannot be put into an image", "give the jar it starts, or leave out docker")
        is Origin.Url -> entry.problem("a server that already runs is not put into a container", "leave out docker")
    }
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
