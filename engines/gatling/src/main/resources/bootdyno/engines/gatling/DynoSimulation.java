package dyno;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyBytes;
import static io.gatling.javaapi.core.CoreDsl.ByteArrayBody;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import bootdyno.engines.gatling.ChainScript;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A load profile of Boot Dyno as a simulation: closed, open or a burst, by the {@link Order}.
 *
 * First Gatling asks a server of its own, without counting (silent), so that its code is compiled; then one user waits at the gate until
 * the lab is ready; then the load begins. The first user of the load sets the time at which nobody asks any more; a request under way then
 * is waited for.
 */
public final class DynoSimulation extends Simulation {
    private final Order order = Order.read();

    {
        HttpProtocolBuilder protocol = protocol();
        PopulationBuilder load = inject(asking("load"));
        PopulationBuilder gate = scenario("gate")
                .exec(session -> {
                    Guarded.passGate();
                    return session;
                })
                .injectOpen(atOnceUsers(1))
                .andThen(load);
        setUp(order.warm.isZero() ? gate : warming().andThen(gate))
                .protocols(protocol)
                .maxDuration(order.limit);
    }

    private HttpProtocolBuilder protocol() {
        HttpProtocolBuilder plain = http.disableWarmUp()
                .disableCaching()
                .disableFollowRedirect()
                .disableAutoReferer()
                .disableUrlEncoding();
        return order.shared ? plain.shareConnections() : plain;
    }

    private PopulationBuilder inject(ScenarioBuilder load) {
        return switch (order.profile) {
            // A second for all to start in, if nothing counts so soon.
            case "closed" -> order.settle.compareTo(Duration.ofSeconds(1)) < 0
                    ? load.injectOpen(atOnceUsers(order.users))
                    : load.injectClosed(constantConcurrentUsers(order.users).during(order.wholeSeconds()));
            case "burst" -> load.injectOpen(atOnceUsers(order.users));
            case "open" -> load.injectOpen(constantUsersPerSec(order.perSecond).during(order.wholeSeconds()));
            case "poisson" -> load.injectOpen(constantUsersPerSec(order.perSecond).during(order.wholeSeconds()).randomized());
            default -> throw new IllegalArgumentException("no profile " + order.profile);
        };
    }

    /** Users that ask as long as their visit goes on; one that could not connect waits a little before it tries again. */
    private ScenarioBuilder asking(String name) {
        return scenario(name)
                .exec(session -> session.set(VISIT, new Visit(order)))
                .exec(asLongAs(session -> visit(session).next(), "asked", false)
                        .on(chain(), patience()));
    }

    /** Each step if the one before it went well. */
    private ChainBuilder chain() {
        List<ChainBuilder> steps = new ArrayList<>();
        steps.add(exec(request(0, order.chain.name(0), order.base)));
        for (int step = 1; step < order.chain.getLength(); step++) {
            HttpRequestActionBuilder request = request(step, order.chain.name(step), order.base);
            steps.add(exec(doIf(session -> visit(session).goesOn()).then(exec(request))));
        }
        return exec(steps);
    }

    /** All texts as functions: one could hold an expression of Gatling's. Each check finds true or false: one message for all of a kind. */
    private HttpRequestActionBuilder request(int step, String name, String base) {
        ChainScript chain = order.chain;
        HttpRequestActionBuilder request = http(name)
                .httpRequest(chain.method(step), session -> base + chain.path(step, visit(session).values))
                .requestTimeout(order.timeout);
        for (String header : chain.headers(step)) {
            request = request.header(header, session -> chain.header(step, header, visit(session).values));
        }
        if (chain.hasBody(step)) {
            request = request.body(ByteArrayBody(session -> chain.body(step, visit(session).values)));
        }
        List<CheckBuilder> checks = new ArrayList<>();
        checks.add(answeredWith(chain.status(step)));
        if (chain.contentType(step) != null) {
            checks.add(header("Content-Type")
                    .transformWithSession((type, session) ->
                            visit(session).ofType(Order.isOfType(type, chain.contentType(step))))
                    .is(true));
        }
        if (chain.looksAtBody(step)) {
            checks.add(bodyBytes().transformWithSession((body, session) -> visit(session).takes(step, body)).is(true));
        }
        return request.check(checks);
    }

    private PopulationBuilder warming() {
        long[] end = new long[1];
        ScenarioBuilder warm = scenario("warm")
                .exec(session -> session.set(VISIT, new Visit(order)))
                .exec(asLongAs(session -> goesOn(end), "asked", false)
                        .on(exec(request(0, "warm", order.startWarmServer()).silent()), patience()));
        return warm.injectOpen(atOnceUsers(order.warmUsers));
    }

    private boolean goesOn(long[] end) {
        synchronized (end) {
            if (end[0] == 0) {
                end[0] = System.nanoTime() + order.warm.toNanos();
            }
            return System.nanoTime() - end[0] < 0;
        }
    }

    private ChainBuilder patience() {
        return doIf(session -> visit(session).unanswered()).then(pause(session -> visit(session).patience()));
    }

    private static CheckBuilder answeredWith(int expected) {
        return status()
                .transformWithSession((status, session) -> {
                    visit(session).answered(status == expected);
                    return status;
                })
                .is(expected);
    }

    private static Visit visit(Session session) {
        return session.get(VISIT);
    }

    private static final String VISIT = "visit";
}
