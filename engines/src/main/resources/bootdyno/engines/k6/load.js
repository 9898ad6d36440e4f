import http from 'k6/http';
import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';

// One request, again and again. GeneratedScript.kt writes the order.
const order = JSON.parse(open('./order.json'));

// Answers with the expected status and another body.
const wrongBodies = new Counter('dyno_wrong_bodies');

// When the load began: a first request that is late would not tell.
const started = new Gauge('dyno_started');

const parameters = {
    headers: order.headers,
    timeout: order.timeout,
    redirects: 0,
    responseType: order.expectedBody === null ? 'none' : 'text',
};

export const options = {
    scenarios: { load: order.load },
    // Fewer are cheaper: k6 writes nine lines a request.
    systemTags: ['name', 'method', 'group', 'status', 'error', 'error_code', 'expected_response'],
};

http.setResponseCallback(http.expectedStatuses(order.status));

export default function () {
    if (__VU === 1 && __ITER === 0) {
        started.add(exec.scenario.startTime);
    }
    const answer = http.request(order.method, order.url, order.body, parameters);
    if (order.expectedBody !== null && answer.status === order.status && answer.body !== order.expectedBody) {
        wrongBodies.add(1);
    }
}

// Prints no summary: nobody reads it.
export function handleSummary() {
    return {};
}
