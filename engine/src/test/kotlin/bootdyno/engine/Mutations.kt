package bootdyno.engine

import kotlin.random.Random

/** Texts that readers of numbers stumble over. */
private val HOSTILE = listOf("1e999", "-1", "NaN", "Infinity", "99999999999999999999", "9223372036854775807", "٣")
    .plus(listOf("\"", ",", "\n", "\r\n", "\u0000", " "))
    .map { it.toByteArray() }

/** [bytes] damaged in some places: changed, cut out, doubled, or with what is hostile put in. The same [random] damages them the same way. */
fun damaged(bytes: ByteArray, random: Random): ByteArray {
    var damaged = bytes
    repeat(random.nextInt(1, 4)) { damaged = damagedOnce(damaged, random) }
    return damaged
}

private fun damagedOnce(bytes: ByteArray, random: Random): ByteArray {
    if (bytes.isEmpty()) return byteArrayOf(random.nextInt().toByte())
    val at = random.nextInt(bytes.size)
    val end = minOf(bytes.size, at + random.nextInt(1, 20))
    return when (random.nextInt(5)) {
        0 -> bytes.copyOf().also { it[at] = random.nextInt().toByte() }
        1 -> bytes.copyOf(at)
        2 -> bytes.copyOf(at) + bytes.copyOfRange(end, bytes.size)
        3 -> bytes.copyOf(end) + bytes.copyOfRange(at, bytes.size)
        else -> bytes.copyOf(at) + HOSTILE[random.nextInt(HOSTILE.size)] + bytes.copyOfRange(end, bytes.size)
    }
}

/** Reads [count] damaged versions of [bytes]; a reader may refuse one as [EngineFailed], and fails in no other way. */
fun readDamaged(bytes: ByteArray, count: Int = 1_500, read: (ByteArray) -> Unit) = (1..count).forEach { seed ->
    val damaged = damaged(bytes, Random(seed))
    try {
        read(damaged)
    } catch (_: EngineFailed) {
        // As it should.
    } catch (failure: Exception) {
        throw AssertionError("seed $seed: $failure", failure)
    }
}
