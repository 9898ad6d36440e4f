package bootdyno.cli

import bootdyno.compose.whyNoCompose
import bootdyno.database.whyNoPostgres
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.dockerEngine
import bootdyno.launch.docker.nativeBuilder
import bootdyno.launch.docker.whyNoDocker
import bootdyno.launch.installedJdks
import bootdyno.launch.mayFavourCompiler
import bootdyno.launch.place
import bootdyno.launch.prepare.NO_NATIVE_IMAGE
import bootdyno.launch.prepare.OR_IN_A_CONTAINER
import bootdyno.launch.prepare.nativeImageHere
import bootdyno.measure.engines
import bootdyno.model.Bytes
import bootdyno.model.CpuBy
import bootdyno.model.Environment
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.model.rounded
import bootdyno.probe.environment
import bootdyno.system.availableCpus
import bootdyno.system.cpuTopology
import bootdyno.system.findOnPath
import bootdyno.system.limits.confinementsHere
import bootdyno.system.network.whyNoNetem
import kotlin.io.path.Path
import kotlin.io.path.isRegularFile

/** Open files for a burst of 10,000 connections, with a reserve. */
private const val RECOMMENDED_OPEN_FILES = 16_384L

/** A load average below it is that of an idle machine. */
private const val QUIET = 0.5

/** Shows what this machine supports, what is missing, and how to install it. */
internal class DoctorCommand(private val home: Home) :
    DynoCommand("doctor", "Check this machine: JDK, limits, load generators, noise; what is missing and how to get it") {
    override fun run() {
        val environment = environment()
        machine(environment)
        nativeImage()
        limits()
        echo("\nLoad engines")
        engines().forEach { engine -> engine.whyNot().let { line(it == null, engine.name, it ?: engine.description) } }
        echo("\nNetwork")
        val ssh = findOnPath("ssh")
        line(ssh != null, "load by ssh", ssh?.let { "$it, for the option `hosts` of dyno" } ?: "apt install openssh-client")
        whyNoNetem().let { line(it == null, "emulated network", it ?: "netem, for the `network` of a profile") }
        echo("\nDatabase")
        whyNoPostgres().let { line(it == null, "PostgreSQL", it ?: "started for experiments that need it") }
        echo("\nContainers")
        whyNoDocker().let { line(it == null, "Docker", it ?: "${dockerEngine()}, for --in docker") }
        DockerCli.found()?.let { cli -> whyNoCompose(cli).let { line(it == null, "Compose", it ?: "for --compose") } }
        echo("\nSubjects")
        home.subjects().forEach { subject(it) }
        echo("\n${verdict(environment)}")
    }

    /** What a measurement needs; the rest is for single options. */
    private fun verdict(environment: Environment): String {
        val confinement = confinementsHere().firstOrNull { it.whyNot == null }?.confinement?.mechanism
        val problems = listOfNotNull(
            "no way to limit CPU and memory works".takeIf { confinement == null },
            "subject and load generator share one CPU".takeIf { environment.cpus < 2 },
            environment.loadAverage?.takeIf { it >= QUIET }?.let { "other programs use its CPUs (load ${rounded(it)})" },
        )
        val marked = "$missing lines with ! are for single options, or make results noisier."
        return if (problems.isEmpty()) {
            "Verdict: this machine can measure (limits by $confinement). $marked"
        } else {
            "Verdict: measurements here are doubtful: ${problems.joinToString("; ")}. $marked"
        }
    }

    private fun subject(subject: Subject) = when (val origin = subject.origin) {
        is Origin.Jar -> {
            val built = Path(origin.path).isRegularFile()
            line(built, subject.name, if (built) origin.path else "${origin.path} is missing. ${home.remedy}")
        }

        is Origin.Command -> line(true, subject.name, origin.words.joinToString(" "))

        is Origin.Image -> line(true, subject.name, origin.name)

        is Origin.Url -> line(true, subject.name, origin.base)
    }

    private fun machine(found: Environment) {
        echo("Machine")
        line(true, "JDK", "${found.jdk}, in ${System.getProperty("java.home")}")
        line(true, "for --java", installedJdks().keys.sorted().joinToString())
        val model = found.cpuModel ?: "model unknown"
        line(found.cpus >= 2, "CPUs", "${found.cpus} ($model)", "subject and load generator share it")
        found.topology?.let { line(true, "topology", it.words(found.cpus)) }
        found.memory?.let { line(true, "memory", "${rounded(it.count.toDouble() / Bytes.GIB)} GiB") }
        line(true, "kernel", "${found.os} ${found.kernel}")
        found.loadAverage?.let { line(it < QUIET, "load", rounded(it), "other programs are running: results will be noisier") }
        val opensMany = "for thousands of connections run ulimit -n 65536"
        found.openFiles?.let { line(it >= RECOMMENDED_OPEN_FILES, "open files", "$it", opensMany) }
        found.somaxconn?.let { line(it >= 1024, "somaxconn", "$it", "for bursts run sysctl net.core.somaxconn=4096") }
        val slows = "the clock rate changes with the load: cpupower frequency-set -g performance"
        found.governor?.let { line(it == "performance", "governor", it, slows) }
        found.virtualMachine?.let { line(false, "virtual", "$it; other guests may take CPU time (steal)") }
    }

    private fun limits() {
        echo("\nLimits (the first that works is used)")
        confinementsHere().forEach { line(it.whyNot == null, it.confinement.mechanism, it.whyNot ?: "works") }
        line(mayFavourCompiler(), "fast warm-up", "priority of the JIT compiler", "needs root or CAP_SYS_NICE")
        val cpus = availableCpus()
        val limits = Limits(cpus = 1.0, memory = Bytes(Bytes.GIB), cpuBy = CpuBy.PINNING)
        val placement = place(limits, cpus, topology = cpuTopology(cpus))
        line(
            !placement.shared && !placement.sharedCore,
            "one-CPU subject",
            "CPU ${placement.subject.joinToString(",")}, load engine on CPU ${placement.engine.joinToString(",")}" +
                if (placement.sharedCore) ", which is the other hardware thread of its core" else "",
        )
    }

    private fun nativeImage() {
        val program = nativeImageHere()?.toString() ?: if (whyNoDocker() == null) "in a container of ${nativeBuilder()}" else null
        line(program != null, "native-image", program ?: "$NO_NATIVE_IMAGE $OR_IN_A_CONTAINER")
    }

    /** [remedy]: said of what is not [good]. */
    private fun line(good: Boolean, name: String, text: String, remedy: String = "") {
        if (!good) missing++
        echo("  ${if (good) "ok" else "! "} ${name.padEnd(18)} $text" + if (good || remedy.isEmpty()) "" else "; $remedy")
    }

    /** Lines with `!` so far. */
    private var missing = 0
}
