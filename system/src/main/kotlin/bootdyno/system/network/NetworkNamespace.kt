package bootdyno.system.network

import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import kotlin.time.Duration
import kotlin.time.DurationUnit

private const val INNER = "eth0"
private const val BITS = 30

/** What a network does to each packet, in each direction: a round trip takes twice the [delay]. [loss]: share of packets, 0 to 1. */
data class PacketTreatment(val delay: Duration, val jitter: Duration, val loss: Double) {
    val isNone: Boolean get() = delay == Duration.ZERO && jitter == Duration.ZERO && loss == 0.0

    /** Arguments of `tc qdisc … netem`. */
    internal val words: List<String>
        get() = buildList {
            // Jitter needs a delay to vary.
            if (delay.isPositive() || jitter.isPositive()) addAll(listOf("delay", micros(delay)))
            if (jitter.isPositive()) add(micros(jitter))
            if (loss > 0) addAll(listOf("loss", String.format(Locale.ROOT, "%.6f%%", loss * 100)))
        }

    private fun micros(duration: Duration) = "${duration.toLong(DurationUnit.MICROSECONDS)}us"
}

/**
 * A network namespace [name] of this machine, connected to it by a virtual cable with the address [here] on this side and [there] in the
 * namespace. Needs root, or CAP_NET_ADMIN and CAP_SYS_ADMIN.
 */
class NetworkNamespace(val name: String, private val here: String, private val there: String) {
    private val cable = cableOf(name)

    /**
     * The command that runs [words] inside. It replaces itself by it, so the pid stays. Unlike `ip netns exec` it leaves `/sys` as it is, with the
     * control groups.
     */
    fun inside(words: List<String>): List<String> = listOf("nsenter", "--net=$FOLDER/$name") + words

    /** Throws [IOException] with the refused command. */
    fun make() {
        ip("netns", "add", name)
        ip("link", "add", cable, "type", "veth", "peer", "name", INNER, "netns", name)
        ip("address", "add", "$here/$BITS", "dev", cable)
        ip("link", "set", cable, "up")
        ip("-n", name, "address", "add", "$there/$BITS", "dev", INNER)
        ip("-n", name, "link", "set", INNER, "up")
        ip("-n", name, "link", "set", "lo", "up")
    }

    /** Replaces what happens to packets in both directions. Throws [IOException]. */
    fun treat(packets: PacketTreatment) {
        mapOf(listOf("tc") to cable, listOf("tc", "-n", name) to INNER).forEach { (tc, device) ->
            if (packets.isNone) {
                // Fails if there is nothing to remove.
                runShortly(tc + listOf("qdisc", "del", "dev", device, "root"))
            } else {
                // More than the packets that are under way: at 1,000 the queue itself would lose some.
                done(tc + listOf("qdisc", "replace", "dev", device, "root", "netem", "limit", "1000000") + packets.words)
            }
        }
    }

    private fun ip(vararg words: String) = done(listOf("ip") + words)

    private fun done(words: List<String>) {
        val ran = runShortly(words) ?: throw IOException("`${words.joinToString(" ")}` did not end")
        if (!ran.succeeded) throw IOException("`${words.joinToString(" ")}`: ${ran.output}")
    }
}

fun namespaceExists(name: String): Boolean = Files.exists(Path.of(FOLDER, name))

/** Of `ip netns`. */
private const val FOLDER = "/run/netns"

/** Removes the namespace [name] with its cable; returns whether it is gone. */
fun removeNamespace(name: String): Boolean {
    if (namespaceExists(name)) {
        // The kernel would remove it with the namespace, but later.
        runShortly(listOf("ip", "link", "delete", cableOf(name)))
        runShortly(listOf("ip", "netns", "delete", name))
    }
    return !namespaceExists(name)
}

/** The device of the namespace [name] on this side. Names of devices have at most 15 characters. */
private fun cableOf(name: String) = "dyno" + name.filter { it.isLetterOrDigit() }.takeLast(MOST_OF_LINK)

private const val MOST_OF_LINK = 11

/** Why there can be no [NetworkNamespace] here, and what to do; null if there can. */
fun whyNoNamespace(): String? = when {
    listOf("ip", "tc").any { findOnPath(it) == null } -> "ip and tc are not installed: apt install iproute2"
    listOf("unshare", "nsenter").any { findOnPath(it) == null } -> "unshare and nsenter are not installed: apt install util-linux"
    runShortly(listOf("unshare", "--net", "true"))?.succeeded == true -> null
    else -> "network namespaces need root, or CAP_SYS_ADMIN and CAP_NET_ADMIN"
}

private const val NO_NETEM = "this kernel has no netem (CONFIG_NET_SCH_NETEM): modprobe sch_netem, or use another kernel"

/** Why packets cannot be delayed or lost here, and what to do; null if they can. Tried in a namespace that ends with the command. */
fun whyNoNetem(): String? {
    whyNoNamespace()?.let { return it }
    val tried = runShortly(listOf("unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"))
    return when {
        tried?.succeeded == true -> null
        "unknown" in tried?.output.orEmpty() -> NO_NETEM
        else -> "tc refuses netem: ${tried?.output.orEmpty().ifEmpty { "it did not end" }}"
    }
}
