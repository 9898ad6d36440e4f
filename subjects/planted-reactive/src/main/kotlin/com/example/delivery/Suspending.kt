package com.example.delivery

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withContext
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

/** 64 threads / 200 ms = 320/s: as many as the dispatcher for blocking calls has unless told otherwise. */
@RestController
class Invitations {
    @GetMapping("/io")
    suspend fun invite(@RequestParam("ms", defaultValue = "200") ms: Long): String = withContext(Dispatchers.IO) {
        Thread.sleep(ms)
        "invited"
    }
}

/** 2 threads / 50 ms = 40/s, on 2 CPUs or fewer: blocking calls on the dispatcher for computing. */
@RestController
class Tours {
    @GetMapping("/default")
    suspend fun plan(@RequestParam("ms", defaultValue = "50") ms: Long): String = withContext(Dispatchers.Default) {
        Thread.sleep(ms)
        "planned"
    }
}
