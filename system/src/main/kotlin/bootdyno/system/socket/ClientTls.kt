package bootdyno.system.socket

import java.net.InetAddress
import java.net.Socket
import java.security.KeyStore
import java.security.SecureRandom
import java.security.cert.X509Certificate
import javax.net.ssl.SNIHostName
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLEngine
import javax.net.ssl.TrustManager
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509ExtendedTrustManager

/**
 * TLS to the server at [address], whose name is [host]. On loopback every certificate is accepted; elsewhere the JDK's trust store
 * and the name decide. [offered] are offered by ALPN: `h2`, `http/1.1`.
 */
class ClientTls(private val host: String, address: InetAddress, private val port: Int, private val offered: List<String>) {
    private val isLoopback = address.isLoopbackAddress
    private val trust: Array<TrustManager> = if (isLoopback) arrayOf(AnyCertificate) else usualTrust()
    private val random = SecureRandom()

    /** The client's side of one connection. Its context is new, so that no connection resumes the session of another: each is a new client. */
    fun engine(): SSLEngine {
        val context = SSLContext.getInstance("TLS").apply { init(null, trust, random) }
        return context.createSSLEngine(host, port).apply {
            useClientMode = true
            sslParameters = sslParameters.apply {
                if (!isLoopback) endpointIdentificationAlgorithm = "HTTPS"
                applicationProtocols = offered.toTypedArray()
                // The JDK sends names with a dot by itself.
                if (host.none { it in ".:" }) serverNames = listOf(SNIHostName(host))
            }
        }
    }
}

private fun usualTrust(): Array<TrustManager> =
    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm()).apply { init(null as KeyStore?) }.trustManagers

/** An extended one, because the JDK adds checks to others. */
private object AnyCertificate : X509ExtendedTrustManager() {
    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit

    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, socket: Socket?) = Unit

    override fun checkClientTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine?) = Unit

    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = Unit

    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, socket: Socket?) = Unit

    override fun checkServerTrusted(chain: Array<X509Certificate>, type: String, engine: SSLEngine?) = Unit

    override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
}
