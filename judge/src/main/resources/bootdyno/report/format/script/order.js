// Each trial in the order of execution.
draw.order = function (id, f) {
  start(id).setOption(Object.assign(base(), {
    grid: { left: 58, right: 14, top: 10, bottom: 28 },
    tooltip: tooltip({ trigger: 'item', formatter: function (p) { return escape(p.name) + ', trial ' + p.value[0] + ': <b>' + (+p.value[1].toPrecision(3)) + ' %</b>'; } }),
    xAxis: axis({ type: 'value', min: 0, max: f.dots.reduce(function (m, d) { return Math.max(m, d.at[0]); }, 0) + 1, splitLine: { show: false }, axisTick: { show: false }, axisLabel: { show: false } }),
    yAxis: axis({ min: -f.most, max: f.most, interval: f.most, axisLabel: { color: css('--muted'), fontSize: 11, formatter: function (y) { return (y > 0 ? '+' : '') + y + ' %'; } } }),
    series: [{
      type: 'scatter', symbolSize: 8,
      data: f.dots.map(function (dot) {
        return { name: dot.name, value: dot.at, symbol: symbol(dot.mark.shape), itemStyle: { color: colour(dot.mark.colour) } };
      }),
      markLine: {
        silent: true, symbol: 'none', lineStyle: { color: css('--line'), type: 'solid' },
        label: { color: css('--muted'), fontSize: 11, position: 'start', align: 'left', distance: 10 },
        data: f.rounds.map(function (r) { return { xAxis: r.firstTrial - 0.5, label: { formatter: 'round ' + r.round } }; })
      }
    }]
  }));
};
