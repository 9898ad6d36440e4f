package bootdyno.subjects.work.contract

import java.lang.management.ManagementFactory
import javax.management.ObjectName

/** What the optimizing compiler C2 has compiled in this JVM, as `jcmd Compiler.codelist` tells it. */
object Compiled {
    private const val OPTIMIZED = "4"
    private val commands = ObjectName("com.sun.management:type=DiagnosticCommand")

    /** A line is a number, the compiler's level, a state, and the method with its signature: `812 4 0 some.Type.function(I)V [...]`. */
    fun byC2(work: Work): Boolean = codeList().lineSequence().map { it.trim().split(' ', limit = 4) }.any {
        it.size == 4 && it[1] == OPTIMIZED && it[3].startsWith(work.function)
    }

    private fun codeList(): String = ManagementFactory.getPlatformMBeanServer().invoke(
        commands,
        "compilerCodelist",
        arrayOf<Any>(emptyArray<String>()),
        arrayOf(Array<String>::class.java.name),
    ) as String
}
