package com.example.orders

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.resilience.annotation.EnableResilientMethods
import org.springframework.scheduling.annotation.EnableAsync

/** Each path has a limit that is known; no name in here says so to those who observe it from outside. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableAsync
@EnableResilientMethods
class OrdersApplication

fun main(args: Array<String>) {
    runApplication<OrdersApplication>(*args)
}
