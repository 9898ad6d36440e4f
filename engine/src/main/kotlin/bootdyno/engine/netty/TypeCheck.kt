package bootdyno.engine.netty

import bootdyno.model.ExpectedType
import java.util.Arrays

/** [ExpectedType] for bytes, asked only when they are others than those it accepted last: a server sends the same. For all threads. */
class TypeCheck(expected: String) {
    private val rule = ExpectedType(expected)

    @Volatile
    private var accepted: ByteArray? = null

    fun fits(bytes: ByteArray, from: Int, to: Int): Boolean {
        val before = accepted
        if (before != null && Arrays.equals(before, 0, before.size, bytes, from, to)) return true
        return rule.fits(bytes.decodeToString(from, to)).also { if (it) accepted = bytes.copyOfRange(from, to) }
    }
}
