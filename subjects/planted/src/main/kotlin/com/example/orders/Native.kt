package com.example.orders

import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout.ADDRESS
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.lang.invoke.MethodHandles

/** Sorts two bytes by C's `qsort`, which calls [compare] once. */
internal fun compareInC(compare: () -> Unit) = Qsort.sort(compare)

/** Apart from the controller, because these types are not in older JDKs. */
private object Qsort {
    private val linker = Linker.nativeLinker()
    private val qsort = linker.downcallHandle(
        linker.defaultLookup().find("qsort").orElseThrow(),
        FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS),
    )
    private val signature = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS)
    private val target = MethodHandles.lookup().findVirtual(Comparison::class.java, "compare", signature.toMethodType())

    fun sort(compare: () -> Unit) = Arena.ofConfined().use { arena ->
        val pointer = linker.upcallStub(target.bindTo(Comparison(compare)), signature, arena)
        qsort.invokeWithArguments(arena.allocate(2), 2L, 1L, pointer)
        Unit
    }

    class Comparison(private val compare: () -> Unit) {
        @Suppress("unused", "UNUSED_PARAMETER") // Called by C.
        fun compare(left: MemorySegment, right: MemorySegment): Int {
            compare.invoke()
            return 0
        }
    }
}
