// One trial over time, in panels below each other.
draw.timeline = function (id, f) {
  var own = f.timelines[chosen(id)];
  var grids = f.panels.map(function (_, i) { return { left: 62, right: 124, top: 30 + i * 132, height: 92 }; });
  document.getElementById('chart-' + id).style.height = 32 + f.panels.length * 132 + 'px';
  function notCounted(panel) {
    return {
      silent: true, itemStyle: { color: css('--muted'), opacity: 0.12 }, label: { color: css('--muted'), fontSize: 11, position: 'insideTopLeft' },
      data: [[{ name: panel === 0 ? 'not counted' : '', xAxis: 0 }, { xAxis: own.windowFrom }], [{ xAxis: own.windowTo }, { xAxis: f.mostX }]]
    };
  }
  function pointsOf(line) {
    return own.times.map(function (time, i) { return [time, line.values[i]]; }).filter(function (point) { return point[1] !== null; });
  }
  var series = own.lines.map(function (line) {
    var first = line.colour === 0;
    var paint = colour(line.colour);
    return {
      name: line.name, type: 'line', xAxisIndex: line.panel, yAxisIndex: line.panel, data: pointsOf(line), showSymbol: false, color: paint,
      lineStyle: { width: 2 }, areaStyle: first ? { opacity: 0.08 } : undefined, markArea: first ? notCounted(line.panel) : undefined,
      endLabel: { show: true, formatter: line.name, color: paint, fontSize: 12, fontWeight: 600, distance: 8, minMargin: 10, textMargin: 5 },
      labelLayout: { moveOverlap: 'shiftY' }
    };
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
};
