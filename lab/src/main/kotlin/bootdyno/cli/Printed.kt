package bootdyno.cli

import bootdyno.model.visible
import com.github.ajalt.clikt.core.Context

/** Text with our own colours that was already made [visible]: a report or a help page. */
internal class Printed(val text: String) {
    override fun toString() = text
}

private val COLOUR = Regex("\u001B\\[[0-9;]*m")

/** A help page: its colours stay, and user input is made [visible]. */
internal fun helpPage(text: String): Printed {
    val colours = COLOUR.findAll(text).map { it.value }.toList()
    val words = text.split(COLOUR).map(::visible)
    return Printed(words.zip(colours + "") { word, colour -> word + colour }.joinToString(""))
}

/** Makes all further output of a command [visible]. */
internal fun Context.Builder.printVisibly() {
    val print = echoMessage
    echoMessage = { context, message, newline, err ->
        print(context, if (message is Printed) message.text else visible(message.toString()), newline, err)
    }
}
