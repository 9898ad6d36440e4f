// Draws the numbers of #report-figures. It computes none: every figure, bound and axis end comes ready from Boot Dyno.
(function () {
  'use strict';
  var figures = JSON.parse(document.getElementById('report-figures').textContent);
  var root = document.documentElement;
  var drawn = {};
  var hidden = {};
  var chosen = 0;

  function css(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }
  function colour(index) { return css('--c' + index); }
  function symbol(shape) { return shape === 'diamond' ? 'diamond' : 'circle'; }
  function short(value) {
    if (value >= 1000) return Math.round(value).toLocaleString('en');
    return String(+value.toPrecision(3));
  }
  function duration(ms) { return ms >= 1000 ? +(ms / 1000).toPrecision(3) + ' s' : +ms.toPrecision(3) + ' ms'; }
  function escape(text) { return text.replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }); }
  function percentile(x) { return +(100 - 100 / x).toPrecision(6) + ' %'; }

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
  function endLabel(text, paint) {
    return { endLabel: { show: true, formatter: text, color: paint, fontSize: 12, fontWeight: 600, distance: 8, minMargin: 10, textMargin: 5 }, labelLayout: { moveOverlap: 'shiftY' } };
  }

  function curves(id, f) {
    var series = [];
    var off = hidden[id] || {};
    f.curves.forEach(function (curve, index) {
      if (off[index]) return;
      var paint = colour(curve.colour);
      var dashed = curve.beyond.length > 0;
      var line = { name: curve.name, type: 'line', showSymbol: false, color: paint, emphasis: { focus: 'series' } };
      series.push(Object.assign({}, line, { data: curve.known, lineStyle: { width: 2.3 } }, dashed ? {} : endLabel(curve.name, paint)));
      if (dashed) {
        series.push(Object.assign({}, line, { data: curve.beyond, lineStyle: { width: 2.3, type: [7, 4] } }, endLabel('≥ ' + curve.name, paint)));
      }
    });
    if (series.length) {
      series[0].markLine = {
        silent: true, symbol: 'none', lineStyle: { color: css('--muted'), type: 'dotted' },
        label: { color: css('--muted'), fontSize: 11, position: 'insideEndTop', rotate: 0, distance: [0, 2] },
        data: [{ xAxis: 2, label: { formatter: 'p50' } }, { xAxis: 100, label: { formatter: 'p99' } }]
      };
    }
    start(id).setOption(Object.assign(base(), {
      grid: { left: 62, right: 210, top: 22, bottom: 46 },
      tooltip: tooltip({
        trigger: 'axis',
        formatter: function (points) {
          var seen = {};
          return '<b>' + percentile(points[0].value[0]) + '</b><br>' + points.filter(function (p) {
            var first = !seen[p.seriesName];
            seen[p.seriesName] = true;
            return first;
          }).sort(function (a, b) { return a.value[1] - b.value[1]; }).map(function (p) {
            return p.marker + escape(p.seriesName) + ': <b>' + duration(p.value[1]) + '</b>';
          }).join('<br>');
        }
      }),
      xAxis: axis({
        type: 'log', min: 1, max: f.mostX, name: 'percentile', nameLocation: 'middle', nameGap: 28,
        axisLabel: { color: css('--muted'), formatter: function (x) { return x === 1 ? '0 %' : percentile(x); } }
      }),
      yAxis: axis({
        type: 'log', min: f.leastY, max: f.mostY,
        axisLabel: { color: css('--muted'), formatter: duration, showMinLabel: false, showMaxLabel: false },
        minorTick: { show: true, splitNumber: 9 }, minorSplitLine: { show: true, lineStyle: { color: css('--grid'), opacity: 0.6 } }
      }),
      series: series
    }));
  }

  var paints = ['--c0', '--c1', '--c2'];
  function timeline(id, f) {
    var own = f.timelines[chosen];
    var height = 92;
    var grids = f.panels.map(function (_, i) { return { left: 62, right: 124, top: 30 + i * 132, height: height }; });
    var notCounted = function (panel) {
      return {
        silent: true, itemStyle: { color: css('--muted'), opacity: 0.12 }, label: { color: css('--muted'), fontSize: 11, position: 'insideTopLeft' },
        data: [[{ name: panel === 0 ? 'not counted' : '', xAxis: 0 }, { xAxis: own.windowFrom }], [{ xAxis: own.windowTo }, { xAxis: f.mostX }]]
      };
    };
    var perPanel = {};
    var series = own.lines.map(function (line) {
      var nth = perPanel[line.panel] || 0;
      perPanel[line.panel] = nth + 1;
      var paint = css(paints[nth % paints.length]);
      return Object.assign({
        name: line.name, type: 'line', xAxisIndex: line.panel, yAxisIndex: line.panel, data: line.points, showSymbol: false, color: paint,
        lineStyle: { width: 2 }, areaStyle: nth === 0 ? { opacity: 0.08 } : undefined, markArea: nth === 0 ? notCounted(line.panel) : undefined
      }, endLabel(line.name, paint));
    });
    start(id).setOption(Object.assign(base(), {
      title: f.panels.map(function (panel, i) {
        return { text: panel, left: 60, top: grids[i].top - 25, textStyle: { fontSize: 12.5, fontWeight: 600, color: css('--ink2') } };
      }),
      grid: grids,
      axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: css('--muted') } },
      tooltip: tooltip({
        trigger: 'axis',
        formatter: function (points) {
          return '<b>' + short(points[0].value[0]) + ' s</b><br>' + points.map(function (p) {
            return p.marker + escape(p.seriesName) + ': <b>' + short(p.value[1]) + '</b>';
          }).join('<br>');
        }
      }),
      xAxis: f.panels.map(function (_, i) {
        return axis({
          type: 'value', gridIndex: i, min: 0, max: f.mostX, splitLine: { show: false },
          axisLabel: { color: css('--muted'), show: i === f.panels.length - 1, formatter: function (x) { return short(x) + ' s'; }, showMaxLabel: false }
        });
      }),
      yAxis: f.panels.map(function (_, i) {
        return axis({ gridIndex: i, min: 0, max: own.most[i], interval: own.most[i] / 2, axisLabel: { color: css('--muted'), formatter: short } });
      }),
      series: series
    }));
  }

  function order(id, f) {
    start(id).setOption(Object.assign(base(), {
      grid: { left: 58, right: 14, top: 10, bottom: 28 },
      tooltip: tooltip({ trigger: 'item', formatter: function (p) { return escape(p.name) + ', trial ' + p.value[0] + ': <b>' + (+p.value[1].toPrecision(3)) + ' %</b>'; } }),
      xAxis: axis({ type: 'value', min: 0, max: f.dots.reduce(function (m, d) { return Math.max(m, d.at[0]); }, 0) + 1, splitLine: { show: false }, axisTick: { show: false }, axisLabel: { show: false } }),
      yAxis: axis({ min: -f.most, max: f.most, interval: f.most, axisLabel: { color: css('--muted'), fontSize: 11, formatter: function (y) { return (y > 0 ? '+' : '') + y + ' %'; } } }),
      series: [{
        type: 'scatter', symbolSize: 8,
        data: f.dots.map(function (dot) {
          return { name: dot.name, value: dot.at, symbol: symbol(dot.shape), itemStyle: { color: colour(dot.colour) } };
        }),
        markLine: {
          silent: true, symbol: 'none', lineStyle: { color: css('--line'), type: 'solid' },
          label: { color: css('--muted'), fontSize: 11, position: 'start', align: 'left', distance: 10 },
          data: f.rounds.map(function (r) { return { xAxis: r.firstTrial - 0.5, label: { formatter: 'round ' + r.round } }; })
        }
      }]
    }));
  }

  var draw = { curves: curves, timeline: timeline, order: order };
  function drawOne(id) { draw[figures[id].kind](id, figures[id]); mark(id); }
  function drawAll() { Object.keys(figures).forEach(drawOne); }

  /** Shows on the buttons what the chart shows. */
  function mark(id) {
    document.querySelectorAll('[data-chart="' + id + '"]').forEach(function (button) {
      var index = +button.dataset.index;
      if (figures[id].kind === 'timeline') {
        button.setAttribute('aria-pressed', String(index === chosen));
      } else {
        var off = Boolean((hidden[id] || {})[index]);
        button.setAttribute('aria-pressed', String(!off));
        button.classList.toggle('off', off);
        button.style.color = off ? '' : colour(figures[id].curves[index].colour);
        button.style.borderColor = button.style.color;
      }
    });
  }

  document.addEventListener('click', function (event) {
    var button = event.target.closest('[data-chart]');
    if (!button) return;
    var id = button.dataset.chart;
    var index = +button.dataset.index;
    if (figures[id].kind === 'timeline') {
      chosen = index;
    } else {
      hidden[id] = hidden[id] || {};
      hidden[id][index] = !hidden[id][index];
    }
    drawOne(id);
  });
  document.getElementById('theme').addEventListener('click', function () {
    var dark = root.dataset.theme === 'dark' || (root.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme:dark)').matches);
    root.dataset.theme = dark ? 'light' : 'dark';
    drawAll();
  });
  matchMedia('(prefers-color-scheme:dark)').addEventListener('change', drawAll);
  addEventListener('resize', function () { Object.keys(drawn).forEach(function (id) { drawn[id].resize(); }); });
  var theme = new URLSearchParams(location.search).get('theme');
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  drawAll();
})();
