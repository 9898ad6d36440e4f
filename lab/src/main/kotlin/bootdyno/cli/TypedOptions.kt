package bootdyno.cli

import bootdyno.model.redactCommandLine
import bootdyno.model.shellWord
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.Option
import com.github.ajalt.clikt.parsers.OptionInvocation

/** Flags that know which of them were given. [once]: the flag that is not to be repeated with the same command. */
abstract class TypedOptions(name: String, private val once: String? = null) : OptionGroup(name) {
    private var given: List<OptionInvocation> = emptyList()

    /** The names of the given flags. */
    val names: List<String> get() = given.map { it.name }.distinct()

    override fun finalize(context: Context, invocationsByOption: Map<Option, List<OptionInvocation>>) {
        given = invocationsByOption.values.flatten()
        super.finalize(context, invocationsByOption)
    }

    /** The flags as typed, each after a space; secrets are placeholders. */
    fun asTyped(): String = given.filter { it.name != once }.joinToString("") { flag ->
        val value = flag.values.joinToString(" ") { shellWord(redactCommandLine(listOf(it)).single()) }
        " " + flag.name + if (value.startsWith("-")) "=$value" else " $value".trimEnd()
    }
}
