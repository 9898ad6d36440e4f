package bootdyno.occupancy

import bootdyno.model.Frame
import java.util.Collections
import java.util.TreeSet

/** Names that begin with one of the words of [text]. */
internal class Prefixes(text: String) {
    /** None begins with another one: so a name can begin only with the last one that is not after it. */
    private val words = TreeSet(shortest(text.trim().split(Regex("\\s+"))))

    /** The same few thousand names are on all stacks of all diagnoses. */
    private val known: MutableMap<String, Boolean> = Collections.synchronizedMap(HashMap())

    operator fun contains(name: String): Boolean = known.getOrPut(name) { words.floor(name)?.let(name::startsWith) == true }
}

private fun shortest(words: List<String>) = words.filter { word -> words.none { it != word && word.startsWith(it) } }

private val JDK = Prefixes("java. javax. jdk. sun. com.sun.")

/** Packages of languages and of libraries that Spring Boot applications use. All others are the application's own code. */
private val LIBRARIES = Prefixes(
    """
    akka. arrow. brave. ch.qos.logback. clojure. co.elastic. com.alibaba.csp. com.alibaba.druid. com.amazonaws. com.apollographql.
    com.arjuna. com.atomikos. com.azure. com.baomidou. com.blazebit. com.codahale.metrics. com.couchbase. com.datastax.
    com.fasterxml. com.github.benmanes. com.github.kagkarlsson. com.github.luben. com.google. com.graphql-java. com.hazelcast.
    com.ibm.db2. com.jayway. com.lmax.disruptor. com.mchange. com.microsoft. com.mongodb. com.mysql. com.netflix. com.newrelic.
    com.nimbusds. com.ongres. com.p6spy. com.querydsl. com.rabbitmq. com.squareup. com.typesafe. com.vaadin. com.zaxxer.
    datadog.trace. dev.failsafe. feign. freemarker. grails. graphql. groovy. io.agroal. io.awspring. io.ebean. io.github.bucket4j.
    io.github.resilience4j. io.grpc. io.jsonwebtoken. io.ktor. io.lettuce. io.micrometer. io.micronaut. io.netty.
    io.opentelemetry. io.opentracing. io.projectreactor. io.prometheus. io.quarkus. io.r2dbc. io.reactivex. io.smallrye.
    io.swagger. io.undertow. io.vavr. io.vertx. jakarta. javassist. kamon. kotlin. kotlinx. liquibase. net.bytebuddy.
    net.javacrumbs. net.logstash. net.sf.ehcache. net.ttddyy. nl.altindag. okhttp3. okio. oracle. org.antlr. org.apache.
    org.aspectj. org.bouncycastle. org.bson. org.codehaus. org.dom4j. org.eclipse. org.ehcache. org.elasticsearch.
    org.firebirdsql. org.flywaydb. org.glassfish. org.grails. org.h2. org.hibernate. org.hsqldb. org.infinispan. org.jboss.
    org.jctools. org.jdbi. org.jetbrains.exposed. org.jgroups. org.jobrunr. org.jooq. org.jruby. org.jspecify. org.jvnet.
    org.keycloak. org.mapstruct. org.mariadb. org.mybatis. org.neo4j. org.opensearch. org.postgresql. org.quartz.
    org.reactivestreams. org.redisson. org.slf4j. org.springdoc. org.springframework. org.sqlite. org.thymeleaf. org.vibur.
    org.wildfly. org.xerial. org.xnio. org.yaml. reactor. redis.clients. retrofit2. rx. scala. software.amazon. tools.jackson.
    weblogic. zipkin2.
    """,
)

/** Applications whose packages lie within those of a library. */
private val APPLICATIONS = Prefixes("org.springframework.samples. org.springframework.demo.")

/** In the names of classes that libraries generate from the application's. */
private val GENERATED = Regex("[$]{2}(SpringCGLIB|EnhancerBy|FastClass|Lambda)|[$](HibernateProxy|Proxy)|_[$]{2}_")

internal val Frame.ofJdk: Boolean get() = type in JDK

internal val Frame.ofLibrary: Boolean get() = ofJdk || (type in LIBRARIES && type !in APPLICATIONS)

/** Whether it belongs to the application's own code. */
internal val Frame.own: Boolean get() = !ofLibrary && !GENERATED.containsMatchIn(type)

/** The first three parts of its package's name: `org.springframework.web`. */
internal val Frame.library: String get() = type.split('.').dropLast(1).take(3).joinToString(".")
