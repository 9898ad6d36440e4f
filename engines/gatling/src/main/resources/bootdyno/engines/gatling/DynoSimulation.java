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
import java.util.Arrays;
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
                        .on(order.chain == null ? ask("request", order.url, false) : chain(), patience()));
    }

    /** Each step if the one before it went well. */
    private ChainBuilder chain() {
        List<ChainBuilder> steps = new ArrayList<>();
        for (int i = 0; i < order.chain.getLength(); i++) {
            int step = i;
            steps.add(exec(doIf(session -> visit(session).asks(step)).then(exec(request(step)))));
        }
        return exec(steps);
    }

    private HttpRequestActionBuilder request(int step) {
        ChainScript chain = order.chain;
        HttpRequestActionBuilder request = http(chain.name(step))
                .httpRequest(chain.method(step), session -> order.base + chain.path(step, visit(session).values))
                .requestTimeout(order.timeout);
        for (String name : chain.headers(step)) {
            request = request.header(name, session -> chain.header(step, name, visit(session).values));
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
        checks.add(bodyBytes().transformWithSession((body, session) -> visit(session).takes(step, body)).is(true));
        return request.check(checks);
    }

    private PopulationBuilder warming() {
        long[] end = new long[1];
        ScenarioBuilder warm = scenario("warm")
                .exec(session -> session.set(VISIT, new Visit(order)))
                .exec(asLongAs(session -> goesOn(end), "asked", false)
                        .on(ask("warm", order.startWarmServer(), true), patience()));
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

    private ChainBuilder ask(String name, String url, boolean silent) {
        HttpRequestActionBuilder request = http(name).httpRequest(order.method, session -> url).requestTimeout(order.timeout);
        for (int i = 0; i < order.headerNames.size(); i++) {
            String value = order.headerValues.get(i);
            // As a function: a text could hold an expression of Gatling's.
            request = request.header(order.headerNames.get(i), session -> value);
        }
        if (order.body != null) {
            request = request.body(ByteArrayBody(order.body));
        }
        request = request.check(checks());
        return exec(silent ? request.silent() : request.notSilent());
    }

    /** Each finds true or false, so that a message is the same for all answers of a kind. */
    private List<CheckBuilder> checks() {
        List<CheckBuilder> checks = new ArrayList<>();
        checks.add(answeredWith(order.status));
        if (order.contentType != null) {
            checks.add(header("Content-Type").transform(type -> Order.isOfType(type, order.contentType)).is(true));
        }
        if (order.expectedBody != null) {
            checks.add(bodyBytes().transform(body -> Arrays.equals(body, order.expectedBody)).is(true));
        }
        return checks;
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
