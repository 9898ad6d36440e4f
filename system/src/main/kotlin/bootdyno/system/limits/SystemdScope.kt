package bootdyno.system.limits

import bootdyno.system.Inherited
import bootdyno.system.SYSTEMD_VARIABLES
import bootdyno.system.ShortCommand
import bootdyno.system.killAll
import bootdyno.system.readOrNull
import bootdyno.system.runShortly
import bootdyno.system.waitUntil
import java.nio.file.Path
import java.util.Locale
import kotlin.time.Duration.Companion.seconds

/**
 * A transient scope of the user's systemd (as root, the system's) on version 2. `systemd-run --scope` replaces itself by the command, so the pid
 * stays; the scope ends with its last process. Limits are read back, because a user's systemd may lack the cpu controller.
 */
class SystemdScope(
    private val user: Boolean,
    private val cgroupTop: Path? = null,
    private val run: (List<String>) -> ShortCommand? = ::runShortly,
) : Confinement {
    override val mechanism = "systemd scope"

    override fun whyNot(): String? {
        val top = cgroupTop ?: return "Version 2 of cgroups is not mounted."
        val show = listOf("sh", "-c", "cat \"$1\"\"$(sed -n 's/^0:://p' /proc/self/cgroup)\"/cgroup.controllers", "sh", "$top")
        val name = "dyno-try-${ProcessHandle.current().pid()}-${System.nanoTime()}"
        val tried = run(scopeCommand(user, name, Share(1.0, TRIED_MEMORY, favoured = false), show))
            ?: return "systemd-run is not installed or does not answer."
        if (!tried.succeeded) return "systemd-run made no scope: ${tried.output.lines().first()}"
        val missing = listOf("cpu", "memory") - tried.output.split(' ', '\n').toSet()
        return "systemd was not given the ${missing.joinToString(", ")} controller (Delegate= of user@.service)."
            .takeIf { missing.isNotEmpty() }
    }

    override fun enclose(name: String, share: Share): Enclosure = ScopeEnclosure(name, share)

    private inner class ScopeEnclosure(private val name: String, private val share: Share) : Enclosure {
        override val inherits = Inherited.SYSTEMD

        @Volatile
        private var found: ScopeGroup? = null

        override fun wrap(command: List<String>) = scopeCommand(user, name, share, withoutSystemd(command))

        /** systemd moves the process shortly after its start. */
        override fun group(pid: Long): Group? {
            found?.let { return it }
            waitUntil(3.seconds) {
                found = scopeFolder(readOrNull(Path.of("/proc/$pid/cgroup")).orEmpty(), name, cgroupTop)?.let { ScopeGroup(it) }
                found != null || !ProcessHandle.of(pid).map { it.isAlive }.orElse(false)
            }
            return found
        }

        override fun remove(): Boolean {
            found?.let { killAll(it.members()) }
            // Removes a failed scope, which systemd would keep; fails for others, which does not matter.
            run(systemctl(listOf("stop", "$name.scope")))
            run(systemctl(listOf("reset-failed", "$name.scope")))
            return true
        }

        private inner class ScopeGroup(folder: Path) : Group(version = 2, folder) {
            /** The cgroup ends with its last process, but systemd records the reason. */
            override fun memoryKills(): Long {
                val counted = super.memoryKills()
                if (counted > 0) return counted
                val shown = run(systemctl(listOf("show", "-p", "Result", "$name.scope")))
                return if (shown?.output?.trim() == "Result=oom-kill") 1 else 0
            }

            /** Set by systemd, because it may overwrite limits that were set in the kernel. */
            override fun setQuota(cpus: Double?): Boolean {
                val property = "CPUQuota=${cpus?.let(::percent).orEmpty()}"
                run(systemctl(listOf("set-property", "--runtime", "$name.scope", property)))
                return sameQuota(quota(), cpus)
            }
        }
    }

    private fun systemctl(words: List<String>) = listOfNotNull("systemctl", "--user".takeIf { user }) + words
}

/** The folder of the scope [name] in `/proc/PID/cgroup`; null while the process has not been moved. */
fun scopeFolder(ownGroups: String, name: String, top: Path?): Path? {
    val group = ownGroups.lines().find { it.startsWith("0::") }?.removePrefix("0::") ?: return null
    return if (group.endsWith("/$name.scope")) top?.resolve(group.trimStart('/')) else null
}

/** [command] without the variables of systemd-run. `env` replaces itself by the command, so the pid stays. */
fun withoutSystemd(command: List<String>): List<String> = listOf("env") + SYSTEMD_VARIABLES.flatMap { listOf("-u", it) } + command

/** A command that runs [command] in a new scope. */
fun scopeCommand(user: Boolean, name: String, share: Share, command: List<String>): List<String> {
    val properties = listOfNotNull(
        share.quota?.let { "CPUQuota=${percent(it)}" },
        share.memory?.let { "MemoryMax=$it" },
        share.memory?.let { "MemorySwapMax=0" },
        "CPUWeight=1000".takeIf { share.favoured },
    )
    return listOfNotNull("systemd-run", "--user".takeIf { user }, "--scope", "--quiet", "--unit=$name") +
        properties.flatMap { listOf("-p", it) } + "--" + command
}

private fun percent(cpus: Double) = String.format(Locale.ROOT, "%.0f%%", cpus * 100)
