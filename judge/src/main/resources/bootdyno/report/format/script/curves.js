// Response time by percentile.
draw.curves = function (id, f) {
  var shown = shownOf(f.group, f.curves);
  var labelled = shown.length <= 10 ? shown : [];
  var grid = { left: 62, right: labelMargin(id, labelled.map(nameOf)), top: 22, bottom: 46 };
  var ends = [];
  var series = [compareWith(
    { color: css('--muted'), type: 'dotted' },
    { color: css('--muted'), fontSize: 11, position: 'insideEndTop', rotate: 0, distance: [0, 2] },
    [{ xAxis: 2, label: { formatter: 'p50' } }, { xAxis: 100, label: { formatter: 'p99' } }]
  )];
  function nameOf(curve) { return (curve.beyond.length ? '≥ ' : '') + curve.name; }

  shown.forEach(function (curve) {
    var paint = colour(curve.mark.colour);
    var line = { name: curve.name, type: 'line', showSymbol: false, color: paint, emphasis: { focus: 'series' } };
    var parts = [Object.assign({}, line, { data: curve.known, lineStyle: { width: 2.3, type: stroke(curve.mark.stroke) } })];
    if (curve.beyond.length) parts.push(Object.assign({}, line, { data: curve.beyond, lineStyle: { width: 2.3, type: [7, 4] } }));
    var last = parts[parts.length - 1];
    if (labelled.length && last.data.length) {
      ends.push({ series: last, name: nameOf(curve), paint: paint, y: last.data[last.data.length - 1][1] });
    }
    series = series.concat(parts);
  });

  var chart = start(id);
  labelEnds(id, ends, f, grid);
  chart.setOption(Object.assign(base(), {
    grid: grid,
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
};
