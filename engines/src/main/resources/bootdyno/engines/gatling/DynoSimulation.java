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

import bootdyno.engines.gatling.PreparedStep;
import bootdyno.engines.gatling.SimulationOrder;
import bootdyno.model.Arrivals;
import bootdyno.model.LoadProfile;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A load profile of Boot Dyno as a simulation: closed, open or a burst, by the {@link SimulationOrder}.
 *
 * Gatling first loads a server in its own process, not counted (silent), so that its code is compiled. Then one user waits until the lab is
 * ready, and the load begins. The first user of the load sets the time when sending stops; requests in flight are awaited.
 */
public final class DynoSimulation extends Simulation {
    private static final String VISIT = "visit";
    private final SimulationOrder order = SimulationOrder.read();

    {
        PopulationBuilder gate = scenario("gate")
                .exec(session -> {
                    Guarded.passGate();
                    return session;
                })
                .injectOpen(atOnceUsers(1))
                .andThen(inject(users("load", session -> visit(session).next(), chain())));
        setUp(order.getWarmUpNanos() == 0 ? gate : warmUp().andThen(gate))
                .protocols(protocol())
                .maxDuration(order.getLimit());
    }

    private HttpProtocolBuilder protocol() {
        HttpProtocolBuilder plain = http.disableWarmUp()
                .disableCaching()
                .disableFollowRedirect()
                .disableAutoReferer()
                .disableUrlEncoding();
        return order.isShared() ? plain.shareConnections() : plain;
    }

    private PopulationBuilder inject(ScenarioBuilder load) {
        return switch (order.getLoad()) {
            case LoadProfile.Closed closed -> order.getStartsSlowly()
                    ? load.injectClosed(constantConcurrentUsers(closed.getConnections()).during(order.getInjection()))
                    : load.injectOpen(atOnceUsers(closed.getConnections()));
            case LoadProfile.Burst burst -> load.injectOpen(atOnceUsers(burst.getUsers()));
            case LoadProfile.Open open -> {
                var constant = constantUsersPerSec(open.getPerSecond()).during(order.getInjection());
                yield load.injectOpen(open.getArrivals() == Arrivals.POISSON ? constant.randomized() : constant);
            }
        };
    }

    /** Users repeat the chain while {@code goesOn}; without a response, a user waits before the next request. */
    private ScenarioBuilder users(String name, Function<Session, Boolean> goesOn, ChainBuilder chain) {
        return scenario(name)
                .exec(session -> session.set(VISIT, new Visit(order)))
                .exec(asLongAs(goesOn, "sending", false)
                        .on(
                                chain,
                                doIf(session -> visit(session).unanswered())
                                        .then(pause(session -> visit(session).patience()))));
    }

    private PopulationBuilder warmUp() {
        AtomicLong end = new AtomicLong();
        return users(
                        "warm",
                        session -> {
                            visit(session).warmUp();
                            end.compareAndSet(0, System.nanoTime() + order.getWarmUpNanos());
                            return System.nanoTime() - end.get() < 0;
                        },
                        exec(request(order.getSteps().getFirst(), order.startWarmUpServer()).silent()))
                .injectOpen(atOnceUsers(order.getWarmUpUsers()));
    }

    /** Sends each step if the previous one succeeded. */
    private ChainBuilder chain() {
        PreparedStep first = order.getSteps().getFirst();
        ChainBuilder chain = exec(request(first, order.getBase()).notSilent());
        for (PreparedStep step : order.getSteps().subList(1, order.getSteps().size())) {
            chain = chain.exec(doIf(session -> visit(session).goesOn()).then(exec(request(step, order.getBase()))));
        }
        return chain;
    }

    /** Values as functions, because Gatling would evaluate expressions in texts. */
    private HttpRequestActionBuilder request(PreparedStep step, String base) {
        HttpRequestActionBuilder request = http(step.getName())
                .httpRequest(step.getMethod(), session -> base + step.path(visit(session).values))
                .requestTimeout(order.getTimeout());
        for (String name : step.getHeaders()) {
            request = request.header(name, session -> step.header(name, visit(session).values));
        }
        if (step.getHasBody()) {
            request = request.body(ByteArrayBody(session -> step.body(visit(session).values)));
        }
        return request.check(checks(step));
    }

    /** Checks are booleans, so that equal failures have equal messages. */
    private static List<CheckBuilder> checks(PreparedStep step) {
        int expected = step.getStatus();
        List<CheckBuilder> checks = new ArrayList<>();
        checks.add(status()
                .transformWithSession((status, session) -> {
                    visit(session).answered(status == expected);
                    return status;
                })
                .is(expected));
        if (step.getChecksType()) {
            checks.add(header("Content-Type")
                    .transformWithSession((type, session) -> visit(session).ofType(step.isOfType(type)))
                    .is(true));
        }
        if (step.getChecksBody()) {
            checks.add(
                    bodyBytes().transformWithSession((body, session) -> visit(session).takes(step, body)).is(true));
        }
        return checks;
    }

    private static Visit visit(Session session) {
        return session.get(VISIT);
    }
}
