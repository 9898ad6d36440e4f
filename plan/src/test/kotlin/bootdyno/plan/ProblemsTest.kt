package bootdyno.plan

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test

class ProblemsTest {
    @Test
    fun `the small experiment is sound`() {
        problems(SMALL).shouldBeEmpty()
    }

    @Test
    fun `an unknown key, a wrong type, a bad word and a missing key are reported at once, each with its place and a hint`() {
        problems(
            """
            limits: { cpus: 1, memry: 1 GiB, cpu-by: pining }
            variants:
              tomcat: { subject: servlet, jvm: -Xmx1g }
            workloads:
              noop: { get: /noop }
            profiles:
              saturate: { closed: 4oo }
            """,
        ).shouldContainExactly(
            "1:1 title: `title` is missing",
            "1:20 limits.memry: unknown key `memry` (did you mean `memory`?)",
            "1:42 limits.cpu-by: `pining` is not one of quota, pinning (did you mean `pinning`?)",
            "3:36 variants.tomcat.jvm: should be a list (write [ a, b ])",
            "7:23 profiles.saturate.closed: `4oo` is not a whole number from 1 to 50,000",
        )
    }

    @Test
    fun `every duplicate key is reported, beside the other problems`() {
        problems(
            """
            title: One
            title: Two
            variants:
              "a": { subject: servlet, subject: servlet }
              "a": { subject: servlet }
            workloads:
              noop: { gt: /noop }
            profiles:
              saturate: { closed: 10 }
            """,
        ).shouldContainExactly(
            "2:1 title: `title` is written twice (it is already on line 1: rename or remove one of the two)",
            "4:28 subject: `subject` is written twice (it is already on line 4: rename or remove one of the two)",
            "5:3 a: `a` is written twice (it is already on line 4: rename or remove one of the two)",
            "7:9 workloads.noop: needs one of get, post, put, delete, patch, head, chain, mix",
            "7:11 workloads.noop.gt: unknown key `gt` (did you mean `get`?)",
        )
    }

    @Test
    fun `a file that is no YAML or empty says so with its line`() {
        problems("title: [ a").single() shouldStartWith "1:"
        problems("").single() shouldBe "1:1 : the file is empty (docs/experiment.md has a complete example)"
        problems("- a").single() shouldStartWith "1:1 : should be a map"
    }

    @Test
    fun `references to subjects, variants and cells that are not there suggest those that are`() {
        problems(
            """
            title: References
            source: { key: s, title: S }
            variants:
              tomcat: { subject: servelt }
            workloads:
              noop: { get: /noop }
              wait: { get: /blockingIO, on: [ tomcta ] }
            profiles:
              saturate: { closed: 10 }
            baseline: tomcat/nop
            only: [ "webflux/*" ]
            published: { tomcat/noops: { throughput: 1 } }
            claims:
              - { text: A, ratio: [ tomcat/noop, tomcat/noob ], published: 2 }
            gates: [ tomcat/noop.througput >= 5 ]
            """,
        ).shouldContainExactly(
            "4:22 variants.tomcat.subject: there is no subject `servelt` (did you mean `servlet`?)",
            "7:35 workloads.wait.on[0]: no variant is called `tomcta` (did you mean `tomcat`?)",
            "10:11 baseline: there is no cell `tomcat/nop` (did you mean `tomcat/noop`?)",
            "11:9 only[0]: `webflux/*` matches no cell (cells: tomcat/noop, tomcat/wait)",
            "12:14 published.tomcat/noops: there is no cell `tomcat/noops` (did you mean `tomcat/noop`?)",
            "14:38 claims[0].ratio[1]: there is no cell `tomcat/noob` (did you mean `tomcat/noop`?)",
            "15:10 gates[0]: `tomcat/noop.througput` does not end in a measure (did you mean `throughput`?)",
        )
    }

    @Test
    fun `quantities without a unit, of nothing, or below one are refused`() {
        problems(
            """
            title: Quantities
            limits: { cpus: 0, memory: 1 GB }
            variants:
              a: { subject: servlet }
            workloads:
              noop: { get: /noop, holds: 500 }
            profiles:
              none: { closed: 0 }
              minus: { closed: -4 }
              rate: { open: 500 }
              crowd: { burst: 10 }
              long: { closed: 5, window: 30, timeout: 0 s }
            """,
        ).shouldContainExactly(
            "2:17 limits.cpus: `0` is not a number from 0.01 to 1,024",
            "2:28 limits.memory: `1 GB` is not an amount of memory from 4 MiB to 16384 GiB (write a number and a binary unit: 1 GiB, 512 MiB)",
            "6:30 workloads.noop.holds: `500` is not a duration from 1 µs to 1 h " +
                "(write a number and a unit: 500 ms, or \"{ms} ms\" with the parameter ms)",
            "8:19 profiles.none.closed: `0` is not a whole number from 1 to 50,000",
            "9:20 profiles.minus.closed: `-4` is not a whole number from 1 to 50,000",
            "10:17 profiles.rate.open: `500` is not a rate from 0.001 to 1,000,000 a second (write requests a second: 500/s)",
            "11:19 profiles.crowd.burst: `10` is not users × requests, at most 1,000,000 users and 1,000,000,000 requests in all (write 10000 x 100: that many users at once, that many requests each)",
            "12:30 profiles.long.window: `30` is not a duration from 100 ms to 24 h (write a number and a unit: 30 s, 500 ms, 2 min)",
            "12:43 profiles.long.timeout: `0 s` is not a duration from 1 ms to 1 h (write a number and a unit: 30 s, 500 ms, 2 min)",
        )
    }

    @Test
    fun `a workload may not use parameters it lacks, whether it has one value of them or several`() {
        problems(
            """
            title: Parameters
            variants:
              a: { subject: servlet }
            workloads:
              lists: { get: "/a?ms={md}", parameters: { ms: [ 1, 2 ] } }
              typo: { get: "/a?ms={sm}", parameters: { ms: 1 }, warm-up: { mss: 2 }, holds: "{ns} ms" }
            profiles:
              saturate: { closed: 1 }
            """,
        ).shouldContainExactly(
            "5:17 workloads.lists.get: {md} is not a parameter (did you mean `ms`?)",
            "6:16 workloads.typo.get: {sm} is not a parameter (did you mean `ms`?)",
            "6:64 workloads.typo.warm-up.mss: `mss` is no parameter of this workload (did you mean `ms`?)",
            "6:81 workloads.typo.holds: {ns} is not a parameter (did you mean `ms`?)",
        )
    }

    @Test
    fun `contradictory values are problems`() {
        problems(
            """
            title: Contradictions
            limits: { cpus: 1.5 }
            variants:
              a: { subject: { jar: a.jar, url: "http://127.0.0.1:1" } }
              b: { subject: { url: "http://127.0.0.1:1" }, settings: { x: 1 } }
              c/d: { subject: servlet }
            workloads:
              noop: { get: /noop, post: /noop }
            profiles:
              both: { closed: 1, open: 1/s }
              odd: { closed: 1, arrivals: poisson }
            protocol: [ steady, warm ]
            rounds: 5
            max-rounds: 3
            claims: [ { text: A, figure: a/noop@odd, published: 1 } ]
            """,
        ).map { it.substringAfter(' ') }.shouldContainExactly(
            "limits.cpus: pinning gives whole CPUs, not 1.5 (a share of a CPU needs cpu-by: quota)",
            "variants.a.subject: has jar and url: choose one of jar, command, image, url",
            "variants.b.settings: has no effect: a server that already runs is not started by us (configure and start it yourself)",
            "variants.c/d: `c/d` cannot be a name (letters, digits and . _ = + - only, since it becomes part of cell ids and file names)",
            "workloads.noop: has get and post: choose one of get, post, put, delete, patch, head, chain, mix",
            "profiles.both: has closed and open: choose one of closed, open, burst",
            "profiles.odd.arrivals: only open load has arrivals (remove it, or write open: 500/s)",
            "protocol[1]: `warm` is not one of steady, article, cold (known: steady, article, cold)",
            "max-rounds: is less than rounds, 5",
            "claims: needs a source to name (add source: { key: …, title: … } with where it was published)",
        )
    }

    @Test
    fun `where there are several profiles a cell is named with its profile`() {
        val two = SMALL + "\n  trickle: { open: 5/s }\nbaseline: a/noop"
        problems(two).single() shouldBe "10:11 baseline: there is no cell `a/noop` (name the profile too: a/noop@saturate)"
        sound(SMALL + "\n  trickle: { open: 5/s }").cells.map { it.id.text }
            .shouldContainExactly("a/noop@saturate", "a/noop@trickle", "b/noop@saturate", "b/noop@trickle")
    }

    @Test
    fun `a flag's problem names the flag`() {
        problems(SMALL, Overrides(only = listOf("c/*"))).single() shouldStartWith "--only c/* only: `c/*` matches no cell"
        problems(SMALL, Overrides(set = listOf("limits.cpu=2", "nothing"))).shouldHaveSize(2).first() shouldBe
            "--set limits.cpu=2 limits.cpu: unknown key `cpu` (did you mean `cpus`?)"
    }
}
