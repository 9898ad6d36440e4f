// Captures values of a JSON response for later steps. Each argument is NAME=WRITING,…=PATH, with a path of Boot Dyno.
// A missing value, or one that is no text, number or boolean, fails the sample. Each encoding that later places need is
// stored as the variable NAME.WRITING.

import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.JsonNodeFactory

// By name, because the Groovy of older JMeters cannot compile against classes of a newer JDK.
def encoder = Class.forName('java.net.URLEncoder')
int longest = 1024 * 1024
def answer = prev.responseData
def mapper = props.computeIfAbsent('bootdyno.json') {
    new ObjectMapper()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true))
}

def root = null
try {
    if (answer.length <= longest) root = mapper.readTree(answer)
} catch (ignored) {
    // Not JSON.
}
for (arg in args) {
    def (name, writings, path) = arg.split('=', 3)
    def found = root
    def steps = path =~ /\.([^.\[]+)|\[(\d+)]/
    while (steps.find() && found != null) {
        found = steps.group(1) != null ? found.get(steps.group(1)) : found.get(steps.group(2) as int)
    }
    if (found == null || found.isNull() || !found.isValueNode()) {
        AssertionResult.failure = true
        AssertionResult.failureMessage = 'nothing to capture as ' + name
        return
    }
    def value = found.asText()
    for (writing in writings.split(',')) {
        def written = value
        if (writing == 'PERCENT_ENCODED') {
            written = encoder.encode(value, 'UTF-8').replace('+', '%20').replace('*', '%2A').replace('%7E', '~')
        } else if (writing == 'JSON_STRING') {
            def quoted = mapper.writeValueAsString(value)
            written = quoted.substring(1, quoted.length() - 1)
        } else if (writing == 'ONE_LINE') {
            written = value.replaceAll('[\\x00-\\x1f\\x7f-\\x9f]', ' ')
        }
        vars.put(name + '.' + writing, written)
    }
}
