package bootdyno

import com.tngtech.archunit.base.DescribedPredicate.describe
import com.tngtech.archunit.core.domain.AccessTarget
import com.tngtech.archunit.core.domain.JavaAccess
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaClasses
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.core.importer.ImportOption
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.random.Random

/** The modules model, plan and judge decide and do nothing: no file, socket, clock, thread, print or unseeded random. */
class PurityTest {
    @Test
    fun `decisions have no effects`() {
        val decisions =
            ClassFileImporter().withImportOption(ImportOption.DoNotIncludeTests()).importPackages(PURE.map { "bootdyno.$it" })
        check(decisions.size > 500) { "only ${decisions.size} classes were read: the rule would pass on nothing" }
        rules.forEach { it.check(decisions) }
    }

    @Test
    fun `every rule bites on a planted violation`() {
        bite(Printing::class.java, "System.out")
        bite(Timing::class.java, "nanoTime")
        bite(Sleeping::class.java, "sleep")
        bite(Starting::class.java, "ProcessBuilder")
        bite(Rolling::class.java, "kotlin.random.Random")
        bite(Seedless::class.java, "java.util.Random")
        bite(Reading::class.java, "java.nio.file.Files")
        bite(Calling::class.java, "java.net.Socket")
    }

    private fun bite(planted: Class<*>, seen: String) {
        val classes: JavaClasses = ClassFileImporter().importClasses(planted)
        shouldThrow<AssertionError> { rules.forEach { it.check(classes) } }.message shouldContain seen
    }
}

private val CLOCKS_AND_PRINTS =
    setOf("nanoTime", "currentTimeMillis", "out", "err", "in", "exit", "getenv", "getProperty")
private val SEEDED_RANDOMS = setOf("java.util.Random", "java.util.SplittableRandom")

private fun effect(target: AccessTarget): Boolean {
    val owner = target.owner.name
    return when {
        owner == "java.lang.System" -> target.name in CLOCKS_AND_PRINTS
        owner == "kotlin.io.ConsoleKt" -> true
        owner == "java.lang.Math" -> target.name == "random"
        owner == "kotlin.random.Random\$Default" -> true
        owner == "kotlin.random.Random" -> target.name == "Default"
        owner in SEEDED_RANDOMS -> unseeded(target)
        owner.startsWith("java.time.") -> target.name in setOf("now", "systemUTC", "systemDefaultZone")
        else -> false
    }
}

private fun unseeded(target: AccessTarget) = target is AccessTarget.ConstructorCallTarget && target.rawParameterTypes.isEmpty()

private val effectful = describe<JavaAccess<*>>("a clock, a print, the environment or an unseeded random") { effect(it.target) }

private fun worldly(type: JavaClass): Boolean = type.packageName.startsWith("java.nio.file") ||
    type.packageName.startsWith("java.nio.channels") ||
    type.packageName.startsWith("java.net") ||
    type.packageName.startsWith("java.util.concurrent") ||
    type.name in setOf(
        "java.lang.Thread",
        "java.lang.Process",
        "java.lang.ProcessBuilder",
        "java.lang.Runtime",
        "java.util.concurrent.ThreadLocalRandom",
        "java.io.File",
        "java.io.FileInputStream",
        "java.io.FileOutputStream",
        "java.io.RandomAccessFile",
    )

private val rules: List<ArchRule> = listOf(
    noClasses().should().accessTargetWhere(effectful).allowEmptyShould(true),
    noClasses().should().dependOnClassesThat(
        describe("reach the world: files, sockets, processes, threads", ::worldly),
    ).allowEmptyShould(true),
)

private class Printing {
    fun act() = println("x")
}

private class Timing {
    fun act() = System.nanoTime()
}

private class Sleeping {
    fun act() = Thread.sleep(1)
}

private class Starting {
    fun act(): ProcessBuilder = ProcessBuilder("true")
}

private class Rolling {
    fun act() = Random.nextInt()
}

private class Seedless {
    fun act() = java.util.Random().nextInt()
}

private class Reading {
    fun act() = java.nio.file.Files.exists(java.nio.file.Path.of("x"))
}

private class Calling {
    fun act() = java.net.Socket("127.0.0.1", 1)
}
