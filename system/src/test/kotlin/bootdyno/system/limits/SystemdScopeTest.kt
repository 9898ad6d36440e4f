package bootdyno.system.limits

import bootdyno.system.ShortCommand
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.nio.file.Path

class SystemdScopeTest {
    @Test
    fun `what runs in a scope does not get the variables that only systemd-run needs`() {
        withoutSystemd(listOf("java", "-version")) shouldContainExactly
            listOf("env", "-u", "XDG_RUNTIME_DIR", "-u", "DBUS_SESSION_BUS_ADDRESS", "java", "-version")
    }

    @Test
    fun `the limits become properties of a scope named after the group`() {
        scopeCommand(
            user = true,
            "dyno-1-2",
            Share(1.5, 1L shl 30, favoured = false),
            listOf("java", "-jar", "a b.jar"),
        ) shouldContainExactly
            listOf(
                "systemd-run", "--user", "--scope", "--quiet", "--unit=dyno-1-2",
                "-p", "CPUQuota=150%", "-p", "MemoryMax=1073741824", "-p", "MemorySwapMax=0",
                "--", "java", "-jar", "a b.jar",
            )
    }

    @Test
    fun `what is not limited is not mentioned, and root has no user manager`() {
        scopeCommand(user = false, "dyno-1-2", Share(null, null, favoured = true), listOf("x")) shouldContainExactly
            listOf("systemd-run", "--scope", "--quiet", "--unit=dyno-1-2", "-p", "CPUWeight=1000", "--", "x")
    }

    @Test
    fun `the folder is known once systemd has moved the process`() {
        val top = Path.of("/sys/fs/cgroup")
        scopeFolder("0::/user.slice/session-3.scope\n", "dyno-1-2", top) shouldBe null
        scopeFolder("0::/user.slice/user@1.service/app.slice/dyno-1-2.scope\n", "dyno-1-2", top) shouldBe
            Path.of("/sys/fs/cgroup/user.slice/user@1.service/app.slice/dyno-1-2.scope")
    }

    @Test
    fun `it works when a tried scope has both controllers, and says what is wrong otherwise`() {
        fun whyNot(tried: ShortCommand?) =
            SystemdScope(user = true, cgroupTop = Path.of("/sys/fs/cgroup"), run = { tried }).whyNot()
        whyNot(ShortCommand(0, "cpuset cpu io memory pids\n")) shouldBe null
        whyNot(ShortCommand(0, "memory pids\n")).orEmpty() shouldContain "not given the cpu controller"
        whyNot(ShortCommand(1, "Failed to connect to bus\n")).orEmpty() shouldContain "Failed to connect to bus"
        whyNot(null).orEmpty() shouldContain "systemd-run"
        SystemdScope(user = true, cgroupTop = null).whyNot().orEmpty() shouldContain "Version 2"
    }
}
