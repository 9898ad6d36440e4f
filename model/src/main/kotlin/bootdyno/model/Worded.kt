package bootdyno.model

import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.PrimitiveSerialDescriptor
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder

/** An enum whose constants have a [word] in files: by default the name in lower case with dashes. */
interface Worded {
    val name: String
    val word: String get() = name.lowercase().replace('_', '-')
}

abstract class ByWord<E>(private val constants: List<E>) : KSerializer<E> where E : Enum<E>, E : Worded {
    private val name = constants.first().declaringJavaClass.name

    override val descriptor = PrimitiveSerialDescriptor(name, PrimitiveKind.STRING)

    override fun serialize(encoder: Encoder, value: E) = encoder.encodeString(value.word)

    override fun deserialize(decoder: Decoder): E = decoder.decodeString().let { word ->
        constants.find { it.word == word } ?: throw SerializationException("`$word` is no ${name.substringAfterLast('.')}")
    }
}
