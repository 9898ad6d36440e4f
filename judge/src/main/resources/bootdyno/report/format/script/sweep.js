// A quantity against a swept parameter.
draw.sweep = function (id, f) {
  var shown = shownOf(f.group, f.lines);
  var labelled = shown.length <= 8 ? shown : [];
  var named = f.unit !== '×' && f.unit !== 'ms';
  var grid = { left: 64, right: labelMargin(id, labelled.map(function (line) { return line.name; })), top: named ? 34 : 16, bottom: 46 };
  var rotate = crowded(id, f, grid) ? 45 : 0;
  if (rotate) grid.bottom = 66;
  var series = f.reference === null ? [] : [compareWith({ color: css('--ink2'), type: 'solid', width: 1.3 }, { show: false }, [{ yAxis: f.reference }])];
  var ends = [];
  shown.forEach(function (line) {
    var paint = colour(line.mark.colour);
    var measured = measuredLine(line, paint);
    var last = line.points[line.points.length - 1];
    if (labelled.length && last) ends.push({ series: measured, name: line.name, paint: paint, y: last.y });
    if (line.crossing) series.push(crossingMark(line, f, paint, labelled.length ? 0.2 : 0.1));
    if (line.published.length) series.push(publishedLine(line, paint));
    series.push(measured, whiskers(line, paint));
  });
  var chart = start(id);
  labelEnds(id, ends, f, grid);
  chart.setOption(Object.assign(base(), {
    grid: grid,
    tooltip: tooltip({ trigger: 'axis', formatter: function (points) { return sweepWords(f, shown, points[0].value[0]); } }),
    xAxis: axis(ticksAt(f.ticks, {
      type: 'log', min: f.leastX, max: f.mostX, name: f.axis, nameLocation: 'middle', nameGap: rotate ? 48 : 28,
      axisLabel: { color: css('--muted'), formatter: short, rotate: rotate }
    })),
    yAxis: axis(ticksAt(f.ticksY, {
      type: 'log', min: f.leastY, max: f.mostY, name: named ? f.unit : '', nameGap: 12,
      axisLabel: { color: css('--muted'), formatter: function (y) { return written(f.unit, y); } }
    })),
    series: series
  }));
};

function ticksAt(values, more) {
  more.axisLabel.customValues = values;
  return Object.assign(more, { axisTick: { customValues: values, lineStyle: { color: css('--muted') } }, splitLine: { customValues: values, lineStyle: { color: css('--grid') } } });
}

/** Whether labels of neighbouring ticks would touch. */
function crowded(id, f, grid) {
  var width = document.getElementById('chart-' + id).clientWidth - grid.left - grid.right;
  var perUnit = width / Math.log(f.mostX / f.leastX);
  return f.ticks.some(function (tick, i) {
    return i > 0 && Math.log(tick / f.ticks[i - 1]) * perUnit < (short(tick).length + short(f.ticks[i - 1]).length) * 3.5 + 5;
  });
}

function measuredLine(line, paint) {
  return {
    name: line.name, type: 'line', color: paint, symbol: symbol(line.mark.shape), symbolSize: line.mark.shape === 'diamond' ? 9 : 7, z: 3,
    lineStyle: { width: line.mark.stroke.length ? 1.8 : 2.2, type: stroke(line.mark.stroke) },
    emphasis: { focus: 'series', lineStyle: { width: 3.5 } },
    data: line.points.map(function (point) { return [point.x, point.y]; })
  };
}

function publishedLine(line, paint) {
  return {
    name: line.name, type: 'line', color: paint, symbol: line.mark.shape === 'diamond' ? 'emptyDiamond' : 'emptyCircle', symbolSize: 6, silent: true, z: 2,
    lineStyle: { width: 1.2, type: [5, 4], opacity: 0.55 }, itemStyle: { opacity: 0.55, borderWidth: 1.2, color: paint }, data: line.published
  };
}

/** The interval of each point; an arrow upwards for lower bounds. */
function whiskers(line, paint) {
  var points = line.points.filter(function (point) { return point.low !== null || point.beyond; });
  return {
    name: line.name, type: 'custom', silent: true, clip: true, z: 3, encode: { x: 0, y: 1 },
    data: points.map(function (point) { return [point.x, point.y]; }),
    renderItem: function (params, api) {
      var point = points[params.dataIndex];
      var path = point.beyond ? arrow(api.coord([point.x, point.y]))
        : whisker(api.coord([point.x, point.low]), api.coord([point.x, point.high]));
      return { type: 'path', shape: { pathData: path }, style: { stroke: paint, fill: 'none', lineWidth: 1.4 } };
    }
  };
}
function whisker(low, high) {
  return [low, high].map(function (end) { return 'M' + (end[0] - 4) + ' ' + end[1] + 'H' + (end[0] + 4); }).join('') + 'M' + low.join(' ') + 'V' + high[1];
}
function arrow(from) {
  var tip = from[1] - 17;
  return 'M' + from.join(' ') + 'V' + tip + 'M' + (from[0] - 4) + ' ' + (tip + 5) + 'L' + from[0] + ' ' + tip + 'L' + (from[0] + 4) + ' ' + (tip + 5);
}

/** A vertical tick where the line crosses the reference, on a band of its interval; open ends reach to the end of the axis. */
function crossingMark(line, f, paint, opacity) {
  var crossing = line.crossing;
  var reference = f.reference;
  return {
    name: line.name, type: 'custom', silent: true, clip: true, z: 1, encode: { x: 0, y: 1 }, data: [[crossing.x, reference]],
    renderItem: function (params, api) {
      var at = api.coord([crossing.x, reference]);
      var from = api.coord([crossing.low === null ? f.leastX : crossing.low, reference])[0];
      return {
        type: 'group',
        children: [
          { type: 'rect', shape: { x: from, y: at[1] - 10, width: api.coord([crossing.high === null ? f.mostX : crossing.high, reference])[0] - from, height: 20 }, style: { fill: paint, opacity: opacity } },
          { type: 'line', shape: { x1: at[0], y1: at[1] - 13, x2: at[0], y2: at[1] + 13 }, style: { stroke: paint, lineWidth: 2 } }
        ]
      };
    }
  };
}

/** Value and interval of each line at x, the highest first, with published figures. */
function sweepWords(f, lines, x) {
  var rows = lines.map(function (line) {
    return {
      line: line,
      point: line.points.find(function (point) { return point.x === x; }),
      published: line.published.find(function (point) { return point[0] === x; })
    };
  }).filter(function (row) { return row.point || row.published; });
  rows.sort(function (a, b) { return (b.point ? b.point.y : b.published[1]) - (a.point ? a.point.y : a.published[1]); });
  return '<b>' + escape(f.axis) + ' ' + short(x) + '</b><br>' + rows.map(function (row) {
    var dot = '<span style="display:inline-block;width:9px;height:9px;border-radius:5px;margin-right:6px;background:' + colour(row.line.mark.colour) + '"></span>';
    return dot + escape(row.line.name) + ':' + (row.point ? measuredWords(f.unit, row.point) : '') +
      (row.published ? ' (published ' + written(f.unit, row.published[1]) + ')' : '');
  }).join('<br>');
}
function measuredWords(unit, point) {
  return ' <b>' + (point.beyond ? '≥ ' : '') + written(unit, point.y) + '</b>' +
    (point.low === null || point.high === null ? '' : ' [' + written(unit, point.low) + ', ' + written(unit, point.high) + ']');
}
