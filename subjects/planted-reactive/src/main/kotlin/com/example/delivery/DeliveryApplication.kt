package com.example.delivery

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** Each path has a limit that is known; no name in here says so to those who observe it from outside. */
@SpringBootApplication(proxyBeanMethods = false)
class DeliveryApplication

fun main(args: Array<String>) {
    runApplication<DeliveryApplication>(*args)
}
