// Draws the charts from the data in #report-figures. Boot Dyno has computed all values, bounds and axis limits.
var figures = JSON.parse(document.getElementById('report-figures').textContent);
var root = document.documentElement;
var drawn = {};
var draw = {};

function css(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }
function colour(index) { return css('--c' + index); }
function symbol(shape) { return shape === 'diamond' ? 'diamond' : 'circle'; }
function stroke(pattern) { return pattern.length ? pattern : 'solid'; }
function escape(text) { return text.replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }); }

function short(value) {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return String(+value.toPrecision(3));
}
function duration(ms) { return ms >= 1000 ? +(ms / 1000).toPrecision(3) + ' s' : +ms.toPrecision(3) + ' ms'; }
function percentile(x) { return +(100 - 100 / x).toPrecision(6) + ' %'; }
function written(unit, value) {
  if (unit === '×') return short(value) + '×';
  return unit === 'ms' ? duration(value) : short(value);
}

function start(id) {
  if (drawn[id]) drawn[id].dispose();
  drawn[id] = echarts.init(document.getElementById('chart-' + id), null, { renderer: 'svg' });
  return drawn[id];
}
function base() {
  return { animation: false, textStyle: { fontFamily: css('--sans'), color: css('--muted'), fontSize: 12 }, aria: { enabled: false } };
}
function tooltip(more) {
  return Object.assign({ backgroundColor: css('--card'), borderColor: css('--line'), textStyle: { color: css('--ink'), fontSize: 12.5 }, confine: true }, more);
}
function axis(more) {
  return Object.assign({
    axisLine: { lineStyle: { color: css('--muted') } }, axisTick: { lineStyle: { color: css('--muted') } },
    axisLabel: { color: css('--muted'), fontSize: 12 }, splitLine: { lineStyle: { color: css('--grid') } },
    nameTextStyle: { color: css('--muted'), fontSize: 12 }
  }, more);
}

/** A series with reference lines only, so that they stay visible when other series are hidden. */
function compareWith(line, label, data) {
  return {
    type: 'line', data: [], silent: true,
    markLine: { silent: true, symbol: 'none', lineStyle: line, label: label, data: data }
  };
}

/** The lines (objects with a name) that the group's buttons show. */
function shownOf(group, lines) {
  var hidden = {};
  document.querySelectorAll('[data-line]').forEach(function (button) {
    if (button.dataset.group === group && button.getAttribute('aria-pressed') === 'false') hidden[button.dataset.line] = true;
  });
  return lines.filter(function (line) { return !hidden[line.name]; });
}

/** The selected item of the chart's list, or its pressed button. */
function chosen(id) {
  var choices = Array.prototype.filter.call(document.querySelectorAll('[data-choice]'), function (choice) {
    return choice.dataset.choice === id && (choice.tagName === 'SELECT' || choice.getAttribute('aria-pressed') === 'true');
  });
  return +choices[0].value;
}
