package bootdyno.cli

import bootdyno.compose.whyNoCompose
import bootdyno.explain.shortages
import bootdyno.keys.hostName
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.whyNoDocker
import bootdyno.launch.javaVersion
import bootdyno.measure.InputProblem
import bootdyno.measure.imagesOf
import bootdyno.model.Bytes
import bootdyno.model.Database
import bootdyno.model.Environment
import bootdyno.model.NetworkShape
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.plan.NamedHost
import bootdyno.plan.hostsOf
import bootdyno.system.ioOrNull
import bootdyno.system.network.whyNoNamespace
import bootdyno.system.network.whyNoNetem
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import java.net.InetAddress
import java.net.NetworkInterface
import kotlin.io.path.Path
import kotlin.io.path.isRegularFile

/** Host flags of all commands that measure or plan. */
internal class HostOptions : TypedOptions("Other hosts") {
    private val hosts by option(
        "--i-may-load",
        metavar = "HOST[,HOST]",
        help = "Allow load on this other host. Only name hosts that you may load; repeatable",
    ).multiple()

    val mayLoad: List<String> get() = hosts.flatMap { it.split(',') }.map { it.trim() }.filter { it.isNotEmpty() }
}

/**
 * The hosts of [plan] with an address that is not of this machine, without [mayLoad].
 * @throws InputProblem for a name without an address
 */
internal fun otherHosts(plan: Plan, mayLoad: List<String>): List<NamedHost> {
    val allowed = mayLoad.map(::hostName)
    val ofPlan = hostsOf(plan).filterNot { addresses(it).all(::isOfThisMachine) }
    // A name in a script that has no address now may have one when the script sends to it.
    val ofScripts = hostsOfScripts(plan).filterNot { addressesOrNull(it)?.all(::isOfThisMachine) == true }
    return (ofPlan + ofScripts).filter { it.host !in allowed }
}

private fun isOfThisMachine(address: InetAddress): Boolean =
    address.isLoopbackAddress || NetworkInterface.getByInetAddress(address) != null

/** Free space for the run folder of [plan]: 1 MiB per trial, a multiple of its usual size. Chatty subjects need up to 5 MiB per log. */
internal fun spaceFor(plan: Plan) = Bytes(plan.cells.size * plan.experiment.repetition.rounds * Bytes.MIB)

/**
 * Checks that need no files and processes.
 * @throws InputProblem if [machine] has not enough ports or files for the connections, lacks Docker, or a host is not in [mayLoad]
 */
internal fun refuseWhatCannotRun(plan: Plan, machine: Environment, mayLoad: List<String>) {
    val shortages = shortages(plan, machine)
    if (shortages.isNotEmpty()) throw InputProblem(shortages.joinToString("\n") + "\nNothing was started.")
    refuseBeforeStart(plan, mayLoad)
}

/** Builds what is missing of [plan], and checks whether its application can be started at all. @throws InputProblem if not */
internal fun refuseBeforeStart(plan: Plan, mayLoad: List<String>) {
    refuseWithoutDocker(plan)
    buildParts(plan)
    refuseMissingJars(plan)
    refuseMissingJava(plan)
    refuseMissingTarget(plan)
    refuseMissingNetwork(plan)
    refuseOtherHosts(plan, mayLoad)
}

internal fun refuseWithoutDocker(plan: Plan) {
    val way = when {
        plan.experiment.place is RunPlace.Docker -> "Or leave out --in docker."
        plan.experiment.database is Database.Container -> "Or set database: embedded."
        plan.experiment.compose != null -> "Or leave out the compose file: --compose none."
        imagesOf(plan).isNotEmpty() -> "Or measure the application's jar."
        else -> return
    }
    val cli = DockerCli.found()
    val whyNot = whyNoDocker(cli) ?: cli?.takeIf { plan.experiment.compose != null }?.let(::whyNoCompose)
    whyNot?.let { throw InputProblem("$it\n    $way") }
}

/** @throws InputProblem if a jar is missing */
private fun refuseMissingJars(plan: Plan) {
    val jars = plan.cells.mapNotNull { (it.subject.origin as? Origin.Jar)?.path }.distinct()
    val missing = jars.filterNot { Path(it).isRegularFile() }.ifEmpty { return }
    throw InputProblem("There is no jar ${missing.joinToString()}.\nBuild it, or correct its path. Nothing was started.")
}

/** @throws InputProblem if a jar needs a JDK that is not on this machine */
private fun refuseMissingJava(plan: Plan) {
    if (plan.experiment.place != RunPlace.Process) return
    plan.cells.filter { it.subject.origin is Origin.Jar }.mapNotNull { it.variant.java }.distinct().forEach {
        try {
            javaVersion(it)
        } catch (missing: LaunchFailed) {
            throw InputProblem("${missing.reason}\nNothing was started.")
        }
    }
}

/** @throws InputProblem if other hosts generate load for an application of this machine whose address there is not stated */
private fun refuseMissingTarget(plan: Plan) {
    val cell = plan.cells.find { cell ->
        cell.profile.engine.hosts.isNotEmpty() && if (cell.subject.origin is Origin.Url) {
            hostsOf(plan.copy(cells = listOf(cell))).any { named -> addresses(named).all { it.isLoopbackAddress } }
        } else {
            cell.profile.target == null
        }
    } ?: return
    val (what, remedy) = if (cell.subject.origin is Origin.Url) {
        "whose `url` is loopback: they would send to themselves" to "Write the address of this machine that they reach."
    } else {
        "and no address is stated to which they send it" to
            "Name one of this machine that they reach: `engine: { dyno: { hosts: […], target: 10.0.0.1 } }`."
    }
    throw InputProblem("Other hosts generate the load for ${cell.id}, $what.\n$remedy Nothing was started.")
}

/** @throws InputProblem if [plan] needs a network that cannot be emulated here */
private fun refuseMissingNetwork(plan: Plan) {
    val networks = plan.cells.mapNotNull { it.profile.engine.network }.ifEmpty { return }
    plan.cells.find { it.profile.engine.network != null && it.subject.origin is Origin.Url }?.let {
        throw InputProblem(
            "The subject of ${it.id} already runs, and is not at the address of the emulated network: remove `network`.\n" +
                "Nothing was started.",
        )
    }
    val whyNot = if (networks.all { it == NetworkShape() }) whyNoNamespace() else whyNoNetem()
    whyNot?.let { throw InputProblem("The `network` of a profile cannot be emulated here: $it.\nNothing was started.") }
}

/** @throws InputProblem if [plan] puts load on another host that is not in [mayLoad] */
internal fun refuseOtherHosts(plan: Plan, mayLoad: List<String>) {
    val others = otherHosts(plan, mayLoad)
    if (others.isEmpty()) return
    val hosts = others.map { it.host }.distinct()
    throw InputProblem(
        others.joinToString("\n") { "${it.where} is on another host, ${it.host}." } +
            "\nIf you may load it, add ${hosts.joinToString(" ") { "--i-may-load $it" }}. Nothing was started.",
    )
}

private fun addresses(named: NamedHost): List<InetAddress> = addressesOrNull(named)
    ?: throw InputProblem("${named.where}: the host ${named.host} has no address.\nCheck its name. Nothing was started.")

private fun addressesOrNull(named: NamedHost): List<InetAddress>? = ioOrNull { InetAddress.getAllByName(named.host).toList() }
