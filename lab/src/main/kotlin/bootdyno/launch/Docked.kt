package bootdyno.launch

/** Something of ours in a container engine, the one at [host]; an empty [host] is the one this machine's user has. */
sealed interface Docked {
    val name: String
    val host: String

    data class Container(override val name: String, override val host: String) : Docked

    data class Image(override val name: String, override val host: String) : Docked
}

/** Images of all Boot Dynos begin like this. */
internal const val IMAGE_PREFIX = "boot-dyno/"

/** Nothing else is ever removed. */
internal val Docked.isOurs: Boolean
    get() = when (this) {
        is Docked.Container -> name.startsWith(GROUP_PREFIX)
        is Docked.Image -> name.startsWith(IMAGE_PREFIX)
    }

/** As a sentence says it. */
internal val Docked.inWords: String
    get() = when (this) {
        is Docked.Container -> "the container $name"
        is Docked.Image -> "the image $name"
    }
