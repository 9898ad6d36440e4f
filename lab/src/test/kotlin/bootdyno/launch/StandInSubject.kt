package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.CellId
import bootdyno.model.CpuBy
import bootdyno.model.Expectation
import bootdyno.model.Limits
import bootdyno.model.LoadProfile
import bootdyno.model.NamedProfile
import bootdyno.model.Origin
import bootdyno.model.Step
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.model.Workload
import java.nio.file.Path
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds

/** A subject for tests, started with this suite's own class path: the port, then what it is to do. */
fun main(arguments: Array<String>) {
    val (port, role) = arguments
    println("stand-in $role on $port")
    when (role) {
        "dies" -> exitProcess(3)
        "deaf" -> Thread.currentThread().join()
        "serves" -> serve(port.toInt())
        else -> error("no role $role")
    }
}

internal val unlimited = Limits(cpus = null, memory = null, cpuBy = CpuBy.PINNING)

internal val runningJava: String = Path.of(System.getProperty("java.home"), "bin", "java").toString()

internal fun standIn(
    role: String,
    limits: Limits = unlimited,
    jvm: List<String> = emptyList(),
    variant: Variant = Variant("v", "stand-in"),
): Cell {
    val quick = listOf(runningJava, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
    val words = quick + jvm + listOf("-cp", System.getProperty("java.class.path"), "bootdyno.launch.StandInSubjectKt")
    return cellOf(Origin.Command(words + listOf("{port}", role)), limits, variant)
}

internal fun cellOf(origin: Origin, limits: Limits = unlimited, variant: Variant = Variant("v", "stand-in")) = Cell(
    id = CellId("v/hello"),
    variant = variant,
    subject = Subject("stand-in", origin),
    workload = hello,
    profile = NamedProfile("one", LoadProfile.Closed(1), 1.seconds, 1.seconds),
    limits = limits,
)

internal val hello = Workload(
    name = "hello",
    steps = listOf(Step("hello", path = "/hello?who={who}", expect = Expectation(200, "hello who=dyno", "text/plain"))),
    parameters = mapOf("who" to "dyno"),
)
