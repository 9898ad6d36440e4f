package com.example.delivery

import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

/** 1 mutex / 20 ms = 50/s. Coroutines that wait for it have no thread. */
@RestController
class Ramp {
    private val ramp = Mutex()

    @GetMapping("/mutex")
    suspend fun unload(@RequestParam("ms", defaultValue = "20") ms: Long): String = ramp.withLock {
        delay(ms)
        "unloaded"
    }
}

/** 4 permits / 80 ms = 50/s. Coroutines that wait for one have no thread. */
@RestController
class Docks {
    private val docks = Semaphore(4)

    @GetMapping("/permits")
    suspend fun load(@RequestParam("ms", defaultValue = "80") ms: Long): String = docks.withPermit {
        delay(ms)
        "loaded"
    }
}
