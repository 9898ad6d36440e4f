package bootdyno.diagnose

import bootdyno.catalogue.HIKARI
import bootdyno.catalogue.TOMCAT_CONNECTIONS
import bootdyno.catalogue.VIRTUAL_CARRIERS
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledForJreRange
import java.lang.management.ManagementFactory
import javax.management.MBeanServerFactory
import javax.management.ObjectName
import javax.management.StandardMBean

/** The MBeans of a pool, in a server of the test's own. */
class SizeOfPoolTest {
    interface PoolConfig {
        fun getMaximumPoolSize(): Int

        fun setMaximumPoolSize(value: Int)

        fun getMinimumIdle(): Int

        fun setMinimumIdle(value: Int)
    }

    interface Pool {
        fun getActiveConnections(): Int

        fun softEvictConnections()
    }

    private class Config : PoolConfig {
        private var size = 10
        private var idle = 10

        override fun getMaximumPoolSize() = size

        override fun setMaximumPoolSize(value: Int) {
            size = value
        }

        override fun getMinimumIdle() = idle

        override fun setMinimumIdle(value: Int) {
            require(value <= size) { "$value idle connections of $size" }
            idle = value
        }
    }

    private class Connections : Pool {
        var evicted = 0

        override fun getActiveConnections() = 7

        override fun softEvictConnections() {
            evicted++
        }
    }

    private val beans = MBeanServerFactory.newMBeanServer()
    private val config = Config()
    private val connections = Connections()

    private fun register(name: String) {
        val domain = "com.zaxxer.hikari"
        beans.registerMBean(StandardMBean(config, PoolConfig::class.java), ObjectName("$domain:type=PoolConfig ($name)"))
        beans.registerMBean(StandardMBean(connections, Pool::class.java), ObjectName("$domain:type=Pool ($name)"))
    }

    @AfterEach
    fun `nothing is left`() {
        MBeanServerFactory.findMBeanServer(null).forEach { if (it === beans) MBeanServerFactory.releaseMBeanServer(it) }
    }

    @Test
    fun `a larger size is read back, and nothing is evicted`() {
        register("HikariPool-1")
        val pool = checkNotNull(SizeOfPool.of(beans, HIKARI, "any"))
        pool.read() shouldBe 10
        pool.inUse() shouldBe 7
        pool.set(20) shouldBe true
        config.getMaximumPoolSize() shouldBe 20
        connections.evicted shouldBe 0
    }

    @Test
    fun `for a smaller size idle connections become fewer before, all are evicted, and both return`() {
        register("HikariPool-1")
        val pool = checkNotNull(SizeOfPool.of(beans, HIKARI, "any"))
        pool.set(8) shouldBe true
        listOf(config.getMaximumPoolSize(), config.getMinimumIdle(), connections.evicted) shouldBe listOf(8, 8, 1)
        pool.set(10) shouldBe true
        listOf(config.getMaximumPoolSize(), config.getMinimumIdle(), connections.evicted) shouldBe listOf(10, 10, 1)
    }

    @Test
    fun `a size is raised before the number of idle connections, which follows it up to its own value`() {
        register("HikariPool-1")
        val pool = checkNotNull(SizeOfPool.of(beans, "spring.datasource.hikari.maximum-pool-size"))
        pool.set(4) shouldBe true
        pool.set(7) shouldBe true
        listOf(config.getMaximumPoolSize(), config.getMinimumIdle()) shouldBe listOf(7, 7)
        pool.set(40) shouldBe true
        listOf(config.getMaximumPoolSize(), config.getMinimumIdle()) shouldBe listOf(40, 10)
    }

    @Test
    fun `a setting without a size that can be changed while the application runs has none`() {
        register("HikariPool-1")
        SizeOfPool.of(beans, "server.tomcat.accept-count") shouldBe null
    }

    @Test
    fun `of two pools none is known to be the one that is waited for`() {
        register("one")
        register("two")
        SizeOfPool.of(beans, HIKARI, "any") shouldBe null
    }

    @Test
    fun `a limit without a way to change it while it runs has none`() {
        SizeOfPool.of(beans, HIKARI, "any") shouldBe null
        SizeOfPool.of(beans, TOMCAT_CONNECTIONS, "any") shouldBe null
    }

    @Test
    @EnabledForJreRange(minVersion = 24)
    fun `the carriers of this JVM can be changed and put back`() {
        val own = ManagementFactory.getPlatformMBeanServer()
        val carriers = checkNotNull(SizeOfPool.of(own, VIRTUAL_CARRIERS, "any"))
        val before = checkNotNull(carriers.read())
        carriers.set(before + 1) shouldBe true
        carriers.set(before) shouldBe true
    }
}
