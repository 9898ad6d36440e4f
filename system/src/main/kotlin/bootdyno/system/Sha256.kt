package bootdyno.system

import java.io.InputStream
import java.io.OutputStream
import java.security.DigestOutputStream
import java.security.MessageDigest
import java.util.HexFormat

/** The SHA-256 of what is written through [to]. */
class Sha256(to: OutputStream = nullOutputStream()) : DigestOutputStream(to, MessageDigest.getInstance("SHA-256")) {
    /** In hexadecimal digits, once, after the last byte. */
    fun hex(): String = HexFormat.of().formatHex(messageDigest.digest())
}

fun sha256(bytes: ByteArray): String = sha256(bytes.inputStream())

/** Reads [input] to its end, and closes it. */
fun sha256(input: InputStream): String = Sha256().also { input.use { bytes -> bytes.transferTo(it) } }.hex()
