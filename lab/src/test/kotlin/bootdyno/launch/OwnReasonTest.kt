package bootdyno.launch

import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class OwnReasonTest {
    private fun reason(log: String): OwnReason? = ownReason(log.trimIndent().lines().filter { it.isNotBlank() })

    @Test
    fun `Spring's failure analysis is the reason, without what to do`() {
        val found = reason(
            """
            Error starting ApplicationContext.
            ***************************
            APPLICATION FAILED TO START
            ***************************

            Description:

            Failed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.

            Reason: Failed to determine a suitable driver class

            Action:

            Consider the following:
            """,
        ).shouldNotBeNull()
        found.words shouldBe "Failed to configure a DataSource: 'url' attribute is not specified and no embedded datasource " +
            "could be configured. Reason: Failed to determine a suitable driver class"
        found.remedy?.line shouldBe "database: embedded, compose: compose.yaml, or env: { SPRING_DATASOURCE_URL: … }"
    }

    @Test
    fun `without one, the last cause is the reason`() {
        val found = reason(
            """
            Caused by: org.springframework.beans.factory.BeanCreationException: Error creating bean
                at org.springframework.beans.Factory.create(Factory.java:1)
            Caused by: org.postgresql.util.PSQLException: Connection to localhost:5432 refused. Check that it runs.
                ... 27 more
            """,
        ).shouldNotBeNull()
        found.words shouldBe "PSQLException: Connection to localhost:5432 refused. Check that it runs."
        found.remedy?.line shouldBe "database: embedded, compose: compose.yaml, or env: { SPRING_DATASOURCE_URL: … }"
    }

    @Test
    fun `a class for a newer JVM, a missing placeholder and a wrong flag have their reasons`() {
        val newer = "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: " +
            "com/shop/App has been compiled by a more recent version of the Java Runtime (class file version 65.0)"
        reason(newer).shouldNotBeNull().remedy?.line shouldBe "java: 21"
        val older = "Caused by: java.lang.IllegalArgumentException: Unsupported class file major version 69"
        reason(older).shouldNotBeNull().remedy?.line shouldBe "java: 17"
        val closed = "Caused by: java.lang.reflect.InaccessibleObjectException: Unable to make protected final java.lang.Class " +
            "java.lang.ClassLoader.defineClass() accessible: module java.base does not \"opens java.lang\" to unnamed module @1b"
        reason(closed).shouldNotBeNull().remedy?.line shouldBe "jvm: [ --add-opens=java.base/java.lang=ALL-UNNAMED ]"
        val missing = "Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'shop.key' in value"
        reason(missing).shouldNotBeNull().remedy?.line shouldBe "settings: { shop.key: … }"
        val flag = "Unrecognized VM option 'UseMagic'\nError: Could not create the Java Virtual Machine.\n" +
            "Error: Program will exit."
        reason(flag).shouldNotBeNull().words shouldBe "Unrecognized VM option 'UseMagic'"
    }

    @Test
    fun `what may help is said as a flag, too, and a key in capitals is a variable`() {
        val newer = "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: App (class file version 65.0)"
        reason(newer).shouldNotBeNull().told shouldBe "It says: UnsupportedClassVersionError: App (class file version 65.0). " +
            "Try --java 21 (in an experiment file: `java: 21`)."
        fun flag(log: String) = reason(log).shouldNotBeNull().remedy?.flag
        val ofSpring = "Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'DB_HOST' in value"
        flag(ofSpring) shouldBe "--env DB_HOST=…"
        flag("Caused by: io.micronaut.Missing: Could not resolve placeholder \${shop.key}") shouldBe "--setting shop.key=…"
        flag("Caused by: java.util.Missing: The config property shop.key is required but") shouldBe "--setting shop.key=…"
        flag("Caused by: java.net.BindException: Address already in use") shouldBe "--setting ITS.PORT={port}"
        flag("Caused by: java.nio.file.NoSuchFileException: data/orders.csv") shouldBe "--working-directory ."
        flag("Caused by: java.io.FileNotFoundException: /etc/shop/orders.csv (No such file or directory)") shouldBe null
    }

    @Test
    fun `a program that wants arguments, and an exception that only its logger prints, have their reasons`() {
        val usage = reason("usage: java -jar project.jar [-h] {server,check} ...").shouldNotBeNull()
        usage.words shouldBe "usage: java -jar project.jar [-h] {server,check} ..."
        usage.remedy?.flag shouldBe "--command 'java -jar APP.jar ARGUMENTS'"
        val logged = "[main] ERROR App - broken\njava.net.BindException: Address already in use\n\tat java.base/sun.Net.bind"
        reason(logged).shouldNotBeNull().words shouldBe "BindException: Address already in use"
    }

    @Test
    fun `a log without a reason has none`() {
        reason("Started OrdersApplication in 2.3 seconds") shouldBe null
        ownReason(emptyList()) shouldBe null
    }

    @Test
    fun `a heap that the user made too small is to be made larger, not the memory of the machine`() {
        val log = listOf("Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space")
        fun remedy(vararg words: String) = ownReason(log, words.toList()).shouldNotBeNull().remedy?.line
        remedy("java", "-jar", "app.jar") shouldBe "limits: { memory: 2 GiB }"
        remedy("java", "-Xmx64m", "-jar", "app.jar") shouldBe "jvm: [ a larger value than -Xmx64m ]"
        remedy("java", "-XX:MaxRAMPercentage=5", "-jar", "app.jar") shouldBe "jvm: [ a larger value than -XX:MaxRAMPercentage=5 ]"
        val metaspace = listOf("Caused by: java.lang.OutOfMemoryError: Metaspace")
        ownReason(metaspace, listOf("-Xmx64m")).shouldNotBeNull().remedy?.line shouldBe "jvm: [ -XX:MaxMetaspaceSize=512m ]"
    }
}
