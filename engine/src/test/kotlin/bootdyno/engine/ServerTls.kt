package bootdyno.engine

import java.nio.file.Files
import java.nio.file.Path
import java.security.KeyStore
import java.util.concurrent.TimeUnit
import javax.net.ssl.ExtendedSSLSession
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SNIHostName
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLEngine

/** The server's side of TLS with a self-signed certificate for `localhost`, which nobody trusts. Made by the JDK's keytool. */
object ServerTls {
    private val context: SSLContext by lazy {
        val folder = Files.createTempDirectory("tls")
        val file = folder.resolve("keys.p12")
        val words = listOf("${Path.of(System.getProperty("java.home"), "bin", "keytool")}", "-genkeypair", "-alias", "server") +
            listOf("-keyalg", "EC", "-dname", "CN=localhost", "-keystore", "$file", "-storepass", PASSWORD)
        val process = ProcessBuilder(words).redirectErrorStream(true).start()
        val said = process.inputReader().readText()
        check(process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) { said }
        val keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray())
        Files.delete(file)
        Files.delete(folder)
        val managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm())
        managers.init(keys, PASSWORD.toCharArray())
        SSLContext.getInstance("TLS").apply { init(managers.keyManagers, null, null) }
    }

    /** Negotiates one of [protocols]; with none, it has no ALPN. */
    fun engine(vararg protocols: String): SSLEngine = context.createSSLEngine().apply {
        useClientMode = false
        sslParameters = sslParameters.apply { applicationProtocols = arrayOf(*protocols) }
    }

    /** The same for handshakes that name the server [name] (SNI) only: others end with an alert. */
    fun engineOf(name: String, protocol: String = "http/1.1"): SSLEngine = engine(protocol).apply {
        setHandshakeApplicationProtocolSelector { engine, _ ->
            val names = (engine.handshakeSession as ExtendedSSLSession).requestedServerNames
            protocol.takeIf { SNIHostName(name) in names }
        }
    }

    private const val PASSWORD = "of-tests-only"
}
