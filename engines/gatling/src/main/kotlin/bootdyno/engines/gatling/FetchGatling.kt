package bootdyno.engines.gatling

import bootdyno.engines.fetch.fetchByMaven
import bootdyno.system.findOnPath
import java.nio.file.Path

/**
 * Lays Gatling's jars into [folder], see [fetchByMaven].
 * @return how many jars
 * @throws bootdyno.engine.EngineFailed when there is no [maven], or when it cannot bring them.
 */
internal fun fetchGatling(folder: Path, tell: (String) -> Unit, maven: Path? = findOnPath("mvn")): Int =
    fetchByMaven("Gatling $GATLING_VERSION", POM, folder, tell, maven).size

/** What running needs. Pages with charts are not drawn, so that the library for those is left out. */
private val POM = """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>bootdyno</groupId>
      <artifactId>gatling-fetched</artifactId>
      <version>1</version>
      <packaging>pom</packaging>
      <dependencies>
        <dependency>
          <groupId>io.gatling</groupId>
          <artifactId>gatling-app</artifactId>
          <version>$GATLING_VERSION</version>
        </dependency>
        <dependency>
          <groupId>io.gatling</groupId>
          <artifactId>gatling-http-java</artifactId>
          <version>$GATLING_VERSION</version>
        </dependency>
      </dependencies>
    </project>
""".trimIndent()
