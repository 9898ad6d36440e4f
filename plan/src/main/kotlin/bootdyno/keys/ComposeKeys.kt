package bootdyno.keys

import bootdyno.model.Compose
import bootdyno.yaml.Either
import bootdyno.yaml.FILE
import bootdyno.yaml.Fields
import bootdyno.yaml.ListOf
import bootdyno.yaml.NOWHERE
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TextNode
import bootdyno.yaml.text

internal object ComposeKeys : Shape<Compose, Compose>("compose", "Compose file with services that subjects need.") {
    private val file by key(FILE, "Compose file, relative to this file.", required = true) { it.file }

    /** Never a text that `docker` reads as a flag. */
    private val services by key(
        ListOf(text("the name of a service", Regex("[A-Za-z0-9][A-Za-z0-9._-]*"), "as the compose file names it")),
        "Services to start, with those that they depend on; by default all.",
    ) { it.services }
    private val reset by key(
        TEXTS,
        "Command that resets their data before each trial; the containers are kept then. Without it, each trial gets new ones.",
    ) { it.reset }

    override fun make(fields: Fields): Compose? =
        fields[file]?.let { Compose(it, fields[services].orEmpty(), fields[reset].orEmpty()) }
}

internal val COMPOSE = Either<_, Compose>(FILE.of({ Compose(it) }, Compose::file), ComposeKeys) { compose ->
    if (compose == Compose(compose.file)) TextNode(compose.file, NOWHERE) else ComposeKeys.write(compose)
}
