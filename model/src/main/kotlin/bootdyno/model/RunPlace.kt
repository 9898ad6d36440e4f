package bootdyno.model

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Where subjects run. */
@Serializable
sealed interface RunPlace {
    /** As processes of this machine. */
    @Serializable
    @SerialName("process")
    data object Process : RunPlace

    /** Each in its own container, with an image built from its jar on [baseImage], which contains a `java`. */
    @Serializable
    @SerialName("docker")
    data class Docker(val baseImage: String) : RunPlace
}
