package bootdyno.occupancy

import bootdyno.catalogue.CATALOGUE
import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.PoolBeans
import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.ResourceKind.DATABASE_CONNECTIONS
import bootdyno.catalogue.WaitingCall
import bootdyno.model.BeanReading
import bootdyno.model.Diagnosis
import bootdyno.model.Frame
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

/** Each entry of the catalogue is complete, and is recognised by its waits, threads, MBeans and objects. */
class CatalogueTest {
    private fun each(has: (KnownResource) -> Boolean = { true }, test: (KnownResource) -> Unit) =
        CATALOGUE.filter(has).forEach { withClue(it) { test(it) } }

    @Test
    fun `each entry has a source of its size, and a setting or what determines its size without one`() = each {
        val seen = listOfNotNull(it.setting, it.threads, it.beans, it.objects) + it.waits + it.frames
        seen.isNotEmpty() shouldBe true
        (it.setting != null || it.setBy != null || it.instead != null || it.kind.isLock) shouldBe true
    }

    @Test
    fun `the name of an entry has the word for its units, in the plural`() = each { entry ->
        entry.unit?.let { entry.noun shouldContain "${it}s" }
    }

    @Test
    fun `no two entries have the same name, setting or name in --vary`() {
        val settings = CATALOGUE.mapNotNull { it.setting }
        listOf(CATALOGUE.map { it.noun }, settings.map { it.key }, settings.map { it.label })
            .forEach { it shouldBe it.distinct() }
    }

    @Test
    fun `a thread in a method of an entry waits for it`() = each { entry ->
        entry.waits.forEach { reasonIn(entry, it).wait?.entry shouldBe entry }
    }

    @Test
    fun `a method of an entry is a library's, not the application's`() = each { entry ->
        (entry.waits.flatMap { listOfNotNull(it.method, it.within) } + entry.frames)
            .filterNot { call("${it}X.y").ofLibrary } shouldBe emptyList()
    }

    @Test
    fun `busy threads with the names of an entry are its units`() = each({ it.threads != null }) { entry ->
        val name = THREADS.single { entry.threads?.matches(it) == true }
        occupancy(diagnosis { listOf(platform(8, "$ASLEEP$IN_EXECUTOR", "TIMED_WAITING", name)) })
            .resources.single { it.kind == entry.kind }.entry shouldBe entry
    }

    @Test
    fun `MBeans are read of threads, carriers and pools of database connections`() = each({ it.beans != null }) {
        (it.kind in setOf(DATABASE_CONNECTIONS, ResourceKind.CARRIERS) || it.threads != null) shouldBe true
    }

    @Test
    fun `MBeans of a pool of connections say its size and use`() = each({ it.kind == DATABASE_CONNECTIONS }) { entry ->
        val beans = entry.beans ?: return@each
        val readings = mapOf(beans.size to 7.0, beans.inUse to 3.0)
            .map { (attribute, value) -> BeanReading(0.0, named(beans.beanOf(attribute)), mapOf(attribute to value)) }
        val pool = occupancy(diagnosis { listOf(platform(1, NO_REQUEST)) }.copy(beans = readings)).resources.single()
        pool.entry shouldBe entry
        pool.size shouldBe 7
        pool.inUse.distinct() shouldBe listOf(3)
    }

    @Test
    fun `the objects of the only pool for which threads wait say its size`() = each({ it.waits.isNotEmpty() }) {
        val objects = it.objects ?: return@each
        poolSize(counted(objects.unit to 7L), it)?.units shouldBe 7
        objects.pool?.let { pool -> poolSize(counted(objects.unit to 7L, pool to 2L), it) shouldBe null }
    }

    private fun counted(vararg objects: Pair<String, Long>) = Diagnosis(from = 0.0, to = 0.0, pooledObjects = mapOf(*objects))

    private fun named(bean: String) =
        bean.replace(PoolBeans.POOL, "a").replace(Regex("^[*]:"), "Some:").replace(Regex("[*]$"), "name=a")

    private fun call(method: String) = Frame.parse("$method(X.java:1)")

    private fun reasonIn(entry: KnownResource, call: WaitingCall): ThreadDoing {
        val library = listOfNotNull(call.method, call.within).map { call("${it}X.y") }
        if (entry.kind == ResourceKind.MONITOR) return monitor(library, null)
        val by = if (entry.kind == ResourceKind.LOCK) "locks.ReentrantLock.lock" else "LinkedBlockingQueue.take"
        val frames = listOf("locks.LockSupport.park", by).map { call("java.util.concurrent.$it") }
        return (frames + library).let { reason(it, checkNotNull(blocked(it))) }
    }

    private companion object {
        const val IN_EXECUTOR = "com.acme.Orders.find(Orders.java:42)\n$WORKER"

        val THREADS = listOf(
            "http-nio-8080-exec-",
            "qtp1234-",
            "XNIO-1 task-",
            "DefaultDispatcher-worker-",
            "boundedElastic-",
            "parallel-",
            "task-",
            "scheduling-",
            "ForkJoinPool.commonPool-worker-",
            "org.springframework.kafka.KafkaListenerEndpointContainer#0-0-C-",
            "org.springframework.amqp.rabbit.RabbitListenerEndpointContainer#0-",
            "org.springframework.jms.JmsListenerEndpointContainer#0-",
        )
    }
}
