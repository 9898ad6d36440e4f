package bootdyno.engine.netty

import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class CookiesTest {
    @Test
    fun `cookies are sent back by their names, the newest of a name`() {
        val cookies = Cookies()
        cookies.header shouldBe null
        cookies.take(listOf("JSESSIONID=a1; Path=/; HttpOnly; SameSite=Lax", "XSRF-TOKEN=x=y; Max-Age=3600"))
        cookies.header shouldBe "JSESSIONID=a1; XSRF-TOKEN=x=y"
        cookies.take(listOf("JSESSIONID=b2; Expires=Wed, 21 Oct 2099 07:28:00 GMT"))
        cookies.header shouldBe "JSESSIONID=b2; XSRF-TOKEN=x=y"
    }

    @Test
    fun `a value is sent back as it was set, with its quotes`() {
        val cookies = Cookies()
        cookies.take(listOf("a=1=2==; Path=/; HttpOnly", "b=\"q r\"; Path=/", "empty="))
        cookies.header shouldBe "a=1=2==; b=\"q r\"; empty="
    }

    @Test
    fun `expired cookies are removed, and invalid ones ignored`() {
        val cookies = Cookies()
        cookies.take(listOf("a=1", "b=2"))
        cookies.take(listOf("a=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:10 GMT", "no cookie", "$=3"))
        cookies.header shouldBe "b=2"
        cookies.take(listOf("b=; Expires=Thu, 01 Jan 1970 00:00:10 GMT"))
        cookies.header shouldBe null
    }
}
