package bootdyno.keys

import bootdyno.model.EngineSpec
import bootdyno.yaml.Either
import bootdyno.yaml.MapOf
import bootdyno.yaml.OneOrMore
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.Unread

internal const val SCRIPT = "script"
private val OPTION = Either<Any, String>(OneOrMore(TEXT), TEXTS_BY_NAME, TEXT::write)
private val OF_ITS_OWN = Either<Any, String>(TEXT, MapOf(OPTION), TEXT::write)

internal val ENGINE = Unread(
    Either<Any, EngineSpec>(TEXT, MapOf(OF_ITS_OWN)) { engine ->
        val options = listOfNotNull(engine.script).associateBy { SCRIPT } + engine.options
        if (options.isEmpty()) TEXT.write(engine.name) else MapOf(TEXTS_BY_NAME).write(mapOf(engine.name to options))
    },
    words = "a name, or name → script or options",
)
