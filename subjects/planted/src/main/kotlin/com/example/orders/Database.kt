package com.example.orders

import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.transaction.PlatformTransactionManager
import org.springframework.transaction.support.TransactionTemplate
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicInteger
import javax.sql.DataSource

/**
 * 10 connections / 100 ms = 100/s: each is held while the request does something else. So many has HikariCP by default; another pool by
 * `spring.datasource.type`: DBCP 8, so 80/s, and Tomcat's 100.
 */
@RestController
class Catalogue(private val dataSource: DataSource) {
    @GetMapping("/pool")
    fun item(@RequestParam("ms", defaultValue = "100") ms: Long): String = dataSource.connection.use {
        Thread.sleep(ms)
        "item"
    }
}

/** 10 connections / 100 ms = 100/s: each waits for a slow statement. */
@RestController
class History(private val client: JdbcClient) {
    @GetMapping("/statement")
    fun history(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        client.sql("SELECT pg_sleep(?)").param(ms / 1000.0).query { _ -> }
        return "history"
    }
}

/** The CPU of the database: each request reads all of 100,000 rows, because there is no index. */
@RestController
class Search(private val client: JdbcClient) {
    @GetMapping("/scan")
    fun search(@RequestParam("id", defaultValue = "7") id: Int): String =
        client.sql("SELECT price FROM item WHERE id = ?").param(id).query(Int::class.java).single().toString()
}

/** 1 row / 20 ms = 50/s, less the time of a commit: others wait for it on 9 of 10 connections. */
@RestController
class Counter(private val client: JdbcClient, transactions: PlatformTransactionManager) {
    private val transaction = TransactionTemplate(transactions)

    @GetMapping("/row")
    fun count(@RequestParam("ms", defaultValue = "20") ms: Long): String {
        transaction.executeWithoutResult {
            client.sql("UPDATE counter SET n = n + 1 WHERE id = 1").update()
            Thread.sleep(ms)
        }
        return "counted"
    }
}

/** 10 connections / 100 ms = 100/s, behind 50 permits that alone would allow 500/s. */
@RestController
class Reports(private val dataSource: DataSource) {
    private val seats = Semaphore(50)

    @GetMapping("/series")
    fun report(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        seats.acquire()
        try {
            return dataSource.connection.use {
                Thread.sleep(ms)
                "report"
            }
        } finally {
            seats.release()
        }
    }
}

/** 10 places in the database / 100 ms = 100/s, behind as many connections: more of these do not help. Not for H2, which has no such locks. */
@RestController
class Shipments(private val client: JdbcClient, transactions: PlatformTransactionManager) {
    private val transaction = TransactionTemplate(transactions)
    private val number = AtomicInteger()

    @GetMapping("/slots")
    fun ship(@RequestParam("ms", defaultValue = "100") ms: Long): String {
        transaction.executeWithoutResult {
            val slot = number.getAndIncrement().mod(10)
            client.sql("SELECT pg_advisory_xact_lock(?)").param(slot).query { _ -> }
            client.sql("SELECT pg_sleep(?)").param(ms / 1000.0).query { _ -> }
        }
        return "shipped"
    }
}

/** What H2 calls as PG_SLEEP. */
object Sleep {
    @JvmStatic
    fun seconds(seconds: Double): Int {
        Thread.sleep((seconds * 1000).toLong())
        return 0
    }
}
