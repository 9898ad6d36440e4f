package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.fetchByMaven
import bootdyno.system.findOnPath
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipFile
import kotlin.io.path.name

/**
 * Makes a JMeter of [folder] from its Maven artifacts, see [fetchByMaven].
 * @return how many jars
 * @throws EngineFailed when there is no [maven], or when it cannot bring them.
 */
internal fun fetchJMeter(folder: Path, tell: (String) -> Unit, maven: Path? = findOnPath("mvn")): Int {
    val jars = fetchByMaven("JMeter $JMETER_VERSION", POM, folder, tell, maven, instead = ", or set JMETER_HOME to a JMeter 5")
    layOut(jars, folder)
    return jars.size
}

/**
 * As the distribution does: the starter in `bin`, JMeter's own parts in `lib/ext` without their version, all others in `lib`, where
 * they were laid.
 */
private fun layOut(jars: List<Path>, home: Path) {
    val lib = home.resolve(FETCHED)
    listOf(home.resolve("bin"), lib.resolve("ext"), lib.resolve("junit")).forEach { Files.createDirectories(it) }
    jars.forEach { jar ->
        val name = jar.name
        when {
            name.startsWith("ApacheJMeter_config") -> {
                unpackBin(jar, home)
                Files.delete(jar)
            }

            name == "ApacheJMeter-$JMETER_VERSION.jar" -> Files.move(jar, home.resolve("bin/ApacheJMeter.jar"))

            name.startsWith("ApacheJMeter_") -> Files.move(jar, lib.resolve("ext").resolve(name.replace("-$JMETER_VERSION", "")))
        }
    }
    if (!Files.exists(home.resolve("bin/jmeter.properties"))) throw EngineFailed("JMeter's artifacts hold no settings: $jars")
}

/** The settings, without whose `saveservice.properties` no plan is read. */
private fun unpackBin(jar: Path, home: Path) {
    ZipFile(jar.toFile()).use { zip ->
        zip.entries().asSequence().filter { !it.isDirectory && it.name.startsWith("bin/") }.forEach { entry ->
            val target = home.resolve(entry.name).normalize()
            check(target.startsWith(home)) { "an entry outside the home: ${entry.name}" }
            Files.createDirectories(target.parent)
            zip.getInputStream(entry).use { Files.copy(it, target) }
        }
    }
}

/** JMeter's own is 3.0.20, which compiles no script that names a class of JDK 25; this one is the same line. */
private const val GROOVY_VERSION = "3.0.25"

/** What plans of people use: HTTP is not all of it. */
private val PARTS = listOf("ApacheJMeter") + listOf(
    "config",
    "core",
    "components",
    "functions",
    "http",
    "java",
    "jdbc",
    "jms",
    "junit",
    "ldap",
    "mail",
    "tcp",
    "ftp",
    "native",
).map { "ApacheJMeter_$it" }

private val POM = """
    |<project xmlns="http://maven.apache.org/POM/4.0.0">
    |  <modelVersion>4.0.0</modelVersion>
    |  <groupId>bootdyno</groupId>
    |  <artifactId>jmeter-fetched</artifactId>
    |  <version>1</version>
    |  <packaging>pom</packaging>
    |  <dependencyManagement>
    |    <dependencies>
    |      <dependency>
    |        <groupId>org.codehaus.groovy</groupId>
    |        <artifactId>groovy-bom</artifactId>
    |        <version>$GROOVY_VERSION</version>
    |        <type>pom</type>
    |        <scope>import</scope>
    |      </dependency>
    |    </dependencies>
    |  </dependencyManagement>
    |  <dependencies>
    |${PARTS.joinToString("\n", transform = ::dependency)}
    |  </dependencies>
    |</project>
""".trimMargin()

private fun dependency(artifact: String) = """
    |    <dependency>
    |      <groupId>org.apache.jmeter</groupId>
    |      <artifactId>$artifact</artifactId>
    |      <version>$JMETER_VERSION</version>
    |    </dependency>
""".trimMargin()
