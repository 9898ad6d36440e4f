package bootdyno.cli

import com.github.ajalt.mordant.rendering.AnsiLevel
import com.github.ajalt.mordant.terminal.Terminal

/**
 * What the environment says about colours, by the value of each [variable]. None with NO_COLOR (https://no-color.org: present and not
 * empty), on a dumb terminal, and in a pipe or a file unless FORCE_COLOR asks for them. Null: those that the terminal has.
 */
internal fun colours(isTerminal: Boolean, variable: (String) -> String?): AnsiLevel? = when {
    variable("TERM") == "dumb" || !variable("NO_COLOR").isNullOrEmpty() -> AnsiLevel.NONE

    // The library colours also the pipes of some editors' terminals.
    !isTerminal && variable("FORCE_COLOR") == null -> AnsiLevel.NONE

    // The library takes an empty one for a request.
    variable("NO_COLOR") != null -> AnsiLevel.ANSI16

    else -> null
}

/** Where a command prints. */
internal fun terminalOfOutput(): Terminal = Terminal().let { found ->
    colours(found.terminalInfo.outputInteractive, System::getenv)?.let { Terminal(ansiLevel = it) } ?: found
}
