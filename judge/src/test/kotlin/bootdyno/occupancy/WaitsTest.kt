package bootdyno.occupancy

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

/** What the stack of one kind of wait shows. Frames between that do not matter are left out. */
class WaitsTest {
    @Test
    fun `pools, permits, locks and rate limiters are told by their libraries' frames`() =
        WAITS.cases().forEach { (calls, expected) ->
            withClue(calls) {
                val found = occupancy(diagnosis { listOf(platform(5, stack("$PARK < $calls"))) }).resources.first()
                "${found.kind} ${found.noun}" shouldBe expected
                found.waiting.distinct() shouldBe listOf(5)
                "${found.waitingIn}" shouldBe "Orders.find, line 42"
            }
        }

    @Test
    fun `other waits are for no resource`() = OTHERS.cases().forEach { (calls, expected) ->
        withClue(calls) {
            val state = if (listOf("sun", "java.io", "java.net").any(calls::startsWith)) "RUNNABLE" else "WAITING"
            val found = occupancy(diagnosis { listOf(platform(5, stack(calls), state)) })
            found.activities.single().doing.name shouldBe expected
            found.resources.flatMap { it.waiting }.shouldBeEmpty()
        }
    }

    @Test
    fun `connecting a pooled connection is not waiting for one`() {
        val connecting = """
            sun.nio.ch.Net.poll(Native Method)
            sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:191)
            org.postgresql.core.PGStream.createSocket(PGStream.java:260)
            com.zaxxer.hikari.pool.HikariPool.createPoolEntry(HikariPool.java:470)
            com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:168)
        """
        val found = occupancy(diagnosis { listOf(platform(5, "$connecting$HANDLER", "RUNNABLE")) })
        found.activities.single().doing shouldBe Doing.DATABASE
    }

    @Test
    fun `a blocked thread waits for a monitor, also within the JDK's channels`() {
        val calls = "sun.nio.ch.FileChannelImpl.read(FileChannelImpl.java:1)$HANDLER"
        val found = occupancy(diagnosis { listOf(platform(5, calls, "BLOCKED", waitsFor = "java.lang.Object@1")) })
        found.resources.first().noun shouldBe "monitor of FileChannelImpl"
    }

    @Test
    fun `a thread that is blocked where a layout of Log4j2 encodes into the buffer of an appender waits for the appender`() {
        val calls = "org.apache.logging.log4j.core.layout.TextEncoderHelper.encodeText(A.java:59)$HANDLER"
        val appender = "org.apache.logging.log4j.core.appender.rolling.RollingFileManager@1"
        val found = occupancy(diagnosis { listOf(platform(5, calls, "BLOCKED", waitsFor = appender)) })
        found.resources.first().noun shouldBe "monitor of a Log4j2 appender"
    }

    @Test
    fun `classes that are generated are not the application's own code`() {
        val proxies = """
            java.lang.Thread.sleep(Native Method)
            dev.failsafe.Functions${'$'}${'$'}Lambda${'$'}15/0x00007f48ac00acc8.get(Unknown Source)
            io.github.resilience4j.bulkhead.Bulkhead${'$'}${'$'}Lambda${'$'}7/474675244.run(Unknown Source)
            com.acme.Orders${'$'}${'$'}SpringCGLIB${'$'}${'$'}0.find(<generated>)
            jdk.proxy2.${'$'}Proxy112.find(Unknown Source)
            org.springframework.samples.petclinic.owner.OwnerController.find(OwnerController.java:7)
        """
        val found = occupancy(diagnosis { listOf(platform(5, "$proxies$TOMCAT", "TIMED_WAITING")) })
        "${found.activities.single().at}" shouldBe "OwnerController.find, line 7"
    }
}

private const val HANDLER = "\ncom.acme.Orders.find(Orders.java:42)\n$TOMCAT"
private const val PARK = "jdk.internal.misc.Unsafe.park < juc.locks.LockSupport.park"

/** The calls of a line, innermost first, and what is expected of them. */
private fun String.cases() = trimIndent().lines().filter { it.isNotBlank() }.map {
    it.substringBefore(" = ") to it.substringAfter(" = ")
}

private fun stack(calls: String) =
    calls.replace("juc.", "java.util.concurrent.").split(" < ").joinToString("\n", postfix = HANDLER) { "$it(Some.java:1)" }

private val WAITS = $$"""
    juc.SynchronousQueue.poll < com.zaxxer.hikari.util.ConcurrentBag.borrow = DATABASE_CONNECTIONS HikariCP connections
    juc.LinkedBlockingDeque.takeFirst < org.apache.commons.pool2.impl.GenericObjectPool.borrowObject < org.apache.commons.dbcp2.X.y = DATABASE_CONNECTIONS DBCP connections
    juc.LinkedBlockingDeque.takeFirst < org.apache.commons.pool2.impl.GenericObjectPool.borrowObject < redis.clients.jedis.X.y = CLIENT_CONNECTIONS Jedis connections
    juc.CountDownLatch.await < org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll = DATABASE_CONNECTIONS Tomcat JDBC connections
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < com.alibaba.druid.pool.DruidDataSource.pollLast = DATABASE_CONNECTIONS Druid connections
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < com.mongodb.internal.connection.ConcurrentPool.get = DATABASE_CONNECTIONS MongoDB connections
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking = CLIENT_CONNECTIONS connections of Apache HttpClient
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < org.apache.hc.core5.concurrent.BasicFuture.get < org.apache.hc.core5.pool.StrictConnPool$1.get = CLIENT_CONNECTIONS connections of Apache HttpClient
    java.lang.Thread.sleep < com.google.common.util.concurrent.RateLimiter.acquire = RATE_LIMITER Guava rate limiter
    io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission = RATE_LIMITER Resilience4j rate limiter
    io.github.bucket4j.UninterruptibleBlockingStrategy$1.parkUninterruptibly = RATE_LIMITER Bucket4j rate limiter
    juc.Semaphore.tryAcquire < io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead.tryEnterBulkhead = SEMAPHORE concurrent calls of a Resilience4j bulkhead
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < org.springframework.util.ConcurrencyThrottleSupport.onLimitReached = SEMAPHORE concurrent calls of Spring's @ConcurrencyLimit
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < org.springframework.util.ConcurrencyThrottleSupport.onLimitReached < org.springframework.core.task.SimpleAsyncTaskExecutor.execute = SEMAPHORE concurrent tasks of Spring's SimpleAsyncTaskExecutor
    java.lang.Object.wait < org.apache.commons.pool.impl.GenericObjectPool.borrowObject < org.apache.commons.dbcp.PoolingDataSource.getConnection = DATABASE_CONNECTIONS connections of DBCP 1
    jdk.internal.misc.Unsafe.park < com.google.common.util.concurrent.AbstractFuture.get < com.google.common.cache.LocalCache$Segment.waitForLoadingValue = MONITOR entry of a Guava cache that is loaded
    juc.Semaphore.tryAcquire < org.vibur.objectpool.ConcurrentPool.tryTake < org.vibur.dbcp.pool.PoolOperations.getConnHolder = DATABASE_CONNECTIONS Vibur connections
    java.lang.Object.wait < com.atomikos.datasource.pool.ConnectionPool.waitForConnectionInPoolIfNecessary = DATABASE_CONNECTIONS Atomikos connections
    java.lang.Object.wait < org.apache.commons.httpclient.MultiThreadedHttpConnectionManager.doGetConnection = CLIENT_CONNECTIONS connections of Apache HttpClient
    juc.Semaphore.tryAcquire < org.springframework.amqp.rabbit.connection.CachingConnectionFactory.obtainPermits = SEMAPHORE channels of a connection to RabbitMQ
    juc.Semaphore.tryAcquire < org.redisson.RedissonLock.lock = MONITOR distributed lock
    java.lang.Object.wait < org.apache.curator.framework.recipes.locks.LockInternals.internalLockLoop = MONITOR distributed lock
    java.lang.Thread.sleep < org.springframework.data.redis.cache.DefaultRedisCacheWriter.checkAndPotentiallyWaitUntilUnlocked = MONITOR distributed lock
    java.lang.Thread.sleep < com.alibaba.csp.sentinel.slots.block.flow.controller.ThrottlingController.sleepMs = RATE_LIMITER Sentinel rate limiter
    java.lang.Thread.sleep < dev.failsafe.internal.RateLimiterImpl.acquirePermits = RATE_LIMITER Failsafe rate limiter
    juc.CompletableFuture.get < dev.failsafe.internal.BulkheadImpl.tryAcquirePermit = SEMAPHORE concurrent calls of a Failsafe bulkhead
    java.lang.Object.wait < com.netflix.concurrency.limits.limiter.BlockingLimiter.tryAcquire = SEMAPHORE concurrent calls of Netflix concurrency-limits
    juc.locks.AbstractQueuedSynchronizer$ConditionObject.await < org.apache.kafka.clients.producer.internals.BufferPool.allocate = RATE_LIMITER buffer of a Kafka producer
    juc.locks.LockSupport.parkNanos < com.lmax.disruptor.MultiProducerSequencer.next < com.lmax.disruptor.RingBuffer.publishEvent = RATE_LIMITER ring buffer of a Disruptor
    juc.ArrayBlockingQueue.put < org.apache.logging.log4j.core.appender.AsyncAppender.append = RATE_LIMITER Log4j2 AsyncAppender
    juc.Semaphore.acquire = SEMAPHORE permits of the semaphore in Orders
    juc.locks.ReentrantLock.lock = LOCK ReentrantLock in Orders
    juc.locks.ReentrantReadWriteLock$WriteLock.lock = LOCK ReentrantReadWriteLock in Orders
    juc.locks.ReentrantLock.lock < jdk.internal.misc.InternalLock.lock < java.io.PrintStream.println = LOCK ReentrantLock in PrintStream
"""

private const val OTHERS = """
    $PARK < juc.FutureTask.get = AWAITING_RESULT
    $PARK < juc.CompletableFuture.join = AWAITING_RESULT
    $PARK < kotlinx.coroutines.BlockingCoroutine.joinBlocking = AWAITING_RESULT
    $PARK < juc.CountDownLatch.await < reactor.core.publisher.BlockingSingleSubscriber.blockingGet = AWAITING_RESULT
    $PARK < juc.CompletableFuture.get < jdk.internal.net.http.HttpClientImpl.send = NETWORK
    $PARK < juc.CompletableFuture.get < io.lettuce.core.internal.Futures.awaitOrCancel = NETWORK
    java.lang.Thread.sleep = SLEEPING
    jdk.internal.misc.Unsafe.park < juc.locks.LockSupport.parkNanos = SLEEPING
    jdk.internal.misc.Unsafe.park < juc.locks.LockSupport.parkNanos < juc.FutureTask.get = AWAITING_RESULT
    sun.nio.ch.SocketDispatcher.read0 < sun.nio.ch.NioSocketImpl.implRead < org.postgresql.core.PGStream.receiveChar = DATABASE
    sun.nio.ch.SocketDispatcher.read0 < sun.nio.ch.NioSocketImpl.implRead < com.mysql.cj.protocol.ReadAheadInputStream.fill = DATABASE
    sun.nio.ch.SocketDispatcher.read0 < sun.nio.ch.NioSocketImpl.implRead < redis.clients.jedis.util.RedisInputStream.ensureFill = NETWORK
    $PARK < sun.nio.ch.Poller.poll < sun.nio.ch.NioSocketImpl.park < sun.security.ssl.SSLSocketImpl.readRecord = NETWORK
    java.io.FileInputStream.readBytes < java.io.FileInputStream.read = FILE
    java.net.SocketInputStream.socketRead0 < java.net.SocketInputStream.read < org.postgresql.core.VisibleBufferedInputStream.readMore = DATABASE
    java.net.SocketInputStream.socketRead0 < java.net.SocketInputStream.read < org.apache.http.impl.io.SessionInputBufferImpl.fillBuffer = NETWORK
    java.net.PlainSocketImpl.socketConnect < java.net.AbstractPlainSocketImpl.doConnect < java.net.Socket.connect = NETWORK
    java.net.Inet6AddressImpl.lookupAllHostAddr < java.net.InetAddress.getAllByName < java.net.Socket.connect = LOOKUP
    $PARK < juc.locks.ReentrantLock.lock < java.net.InetAddress.getAllByName < sun.net.www.http.HttpClient.openServer = LOOKUP
    java.io.RandomAccessFile.readBytes < java.util.zip.ZipFile.read < java.net.URLClassLoader.findClass = FILE
    $PARK < juc.CompletableFuture.get < org.springframework.http.client.JdkClientHttpRequest.executeInternal = NETWORK
    $PARK < juc.CountDownLatch.await < reactor.core.publisher.Mono.block < org.springframework.http.client.ReactorClientHttpRequest.executeInternal = NETWORK
    $PARK < juc.LinkedBlockingDeque.poll < okhttp3.internal.connection.FastFallbackExchangeFinder.awaitTcpConnect = NETWORK
    $PARK < io.grpc.stub.ClientCalls.blockingUnaryCall = NETWORK
    $PARK < com.google.common.util.concurrent.AbstractFuture.get = AWAITING_RESULT
    java.lang.Object.wait < io.netty.util.concurrent.DefaultPromise.await = AWAITING_RESULT
    java.lang.Object.wait < java.lang.ProcessImpl.waitFor = AWAITING_RESULT
    $PARK < juc.LinkedBlockingQueue.poll < com.sun.jndi.ldap.LdapRequest.getReplyBer < com.sun.jndi.ldap.LdapCtx.search = NETWORK
    sun.nio.ch.SocketDispatcher.read0 < sun.nio.ch.NioSocketImpl.implRead < sun.rmi.transport.StreamRemoteCall.executeCall = NETWORK
    $PARK < juc.CompletableFuture.get < org.quartz.core.QuartzScheduler.triggerJob = AWAITING_RESULT
    java.lang.Object.wait < com.rabbitmq.utility.BlockingCell.get = NETWORK
    java.lang.Object.wait < org.apache.http.concurrent.BasicFuture.get < org.elasticsearch.client.RestClient.performRequest = AWAITING_RESULT
    jdk.internal.misc.Unsafe.park < juc.locks.LockSupport.parkNanos < juc.locks.AbstractQueuedSynchronizer.tryAcquireSharedNanos = AWAITING_RESULT
"""
