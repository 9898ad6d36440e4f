package bootdyno.engine.netty

import kotlin.random.Random

/** Answers that are as they should be, one of each kind. */
val soundAnswers: List<ByteArray> = listOf(
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nhello",
    "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: /login\r\nSet-Cookie: a=b\r\n c=d\r\nContent-Length: 0\r\n\r\n",
).map { it.toByteArray() }

/** [sound] with one to four things done to it: bytes changed, left out, said twice, cut off, or a telling piece put in. */
fun mutated(sound: ByteArray, random: Random): ByteArray {
    var bytes = sound
    repeat(1 + random.nextInt(4)) {
        if (bytes.isEmpty()) return bytes
        val at = random.nextInt(bytes.size)
        val end = minOf(bytes.size, at + 1 + random.nextInt(20))
        bytes = when (random.nextInt(6)) {
            0 -> bytes.copyOf().also { it[at] = random.nextInt().toByte() }
            1 -> bytes.copyOfRange(0, at) + bytes.copyOfRange(end, bytes.size)
            2 -> bytes.copyOfRange(0, end) + bytes.copyOfRange(at, bytes.size)
            3 -> bytes.copyOfRange(0, at)
            4 -> bytes.copyOfRange(0, at) + random.nextBytes(random.nextInt(30)) + bytes.copyOfRange(at, bytes.size)
            else -> bytes.copyOfRange(0, at) + TELLING.random(random).toByteArray() + bytes.copyOfRange(at, bytes.size)
        }
    }
    return bytes
}

private val TELLING = listOf(
    "\r\n", "\n", "\r\n\r\n", ":", " ", "HTTP/1.1 200 OK\r\n", "Content-Length: 99999999999999999\r\n", "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\n", "7fffffff\r\n", "0\r\n\r\n", "\u0000", "Content-Length: 3, 3\r\n",
)
