package bootdyno.measure

import bootdyno.engine.EngineChoice
import bootdyno.engine.startOwnEngine
import bootdyno.engines.gatling.GATLING_KIND
import bootdyno.engines.gatling.GatlingEngine
import bootdyno.engines.jmeter.JMETER_KIND
import bootdyno.engines.jmeter.JMeterEngine
import bootdyno.engines.k6.K6Engine
import bootdyno.engines.k6.K6_KIND
import bootdyno.engines.k6.whyNoK6
import bootdyno.engines.wrk.WRK_KIND
import bootdyno.engines.wrk.WrkEngine
import bootdyno.engines.wrk.whyNoWrk
import bootdyno.model.EngineKind

/** Every load engine; the first is the default. */
fun engines(): List<EngineChoice> = listOf(
    EngineChoice(EngineKind.OWN, "our own, on Netty and HdrHistogram, in a process here or on other hosts") { context, spec ->
        startOwnEngine(context, spec, optimised = !ENGINE_STAYS_COLD)
    },
    EngineChoice(WRK_KIND, "wrk as the system has it, closed load only; its own Lua scripts", ::whyNoWrk) { context, spec ->
        WrkEngine.start(context, spec)
    },
    EngineChoice(JMETER_KIND, "Apache JMeter 5, yours or fetched once; runs your own .jmx", start = JMeterEngine::start),
    EngineChoice(GATLING_KIND, "Gatling, fetched once; runs your own simulation, Java source or jar") { context, spec ->
        GatlingEngine.start(context, spec)
    },
    EngineChoice(K6_KIND, "k6 as the system has it; runs your own script", ::whyNoK6, K6Engine::start),
)
