// Calls below their callers; the width of a box is its share of all samples.
var flameRow = 19;
var enlarged = {};

draw.flame = function (id, f) {
  var graph = f.graphs[chosen(id)];
  var boxes = laidOut(graph, f);
  var whole = { from: 0, to: 1, graph: graph };
  var top = enlarged[id] && enlarged[id].graph === graph ? enlarged[id] : whole;
  var shown = boxes.filter(function (box) { return box.from < top.to - 1e-9 && box.to > top.from + 1e-9; });
  var element = document.getElementById('chart-' + id);
  element.style.height = shown.reduce(function (most, box) { return Math.max(most, box.depth + 1); }, 1) * flameRow + 2 + 'px';
  var sought = soughtIn(id);
  var chart = start(id);
  chart.setOption(Object.assign(base(), {
    tooltip: tooltip({ trigger: 'item', formatter: function (p) { return flameWords(shown[p.dataIndex]); } }),
    series: [{
      type: 'custom', coordinateSystem: 'none', data: shown.map(function (box) { return box.width; }),
      renderItem: function (params, api) { return flameBox(shown[params.dataIndex], top, api.getWidth(), sought); }
    }]
  }));
  chart.on('click', function (p) {
    var box = shown[p.dataIndex];
    enlarged[id] = box.from === top.from && box.to === top.to ? whole : box;
    drawOne(id);
  });
};

/** The widest box of the method that is searched for; the whole graph without a search. */
function enlargeFound(id) {
  var f = figures[id];
  var sought = soughtIn(id);
  var found = laidOut(f.graphs[chosen(id)], f).filter(function (box) { return sought && box.method.toLowerCase().indexOf(sought) >= 0; });
  if (sought && !found.length) return;
  enlarged[id] = found.sort(function (a, b) { return b.width - a.width; })[0];
  drawOne(id);
}

/** Boxes with their places from 0 to 1: below their caller, beside the calls before. */
function laidOut(graph, f) {
  var next = [0];
  return graph.boxes.map(function (own) {
    var depth = own[0];
    var from = next[depth];
    next[depth] = from + own[2];
    next[depth + 1] = from;
    return {
      graph: graph, depth: depth, from: from, to: from + own[2], width: own[2], method: f.names[own[1]], origin: f.origins[own[1]],
      share: own[3], other: own[4], change: own[5]
    };
  });
}

function flameBox(box, top, width, sought) {
  var left = Math.max(0, (box.from - top.from) / (top.to - top.from) * width);
  var right = Math.min(width, (box.to - top.from) / (top.to - top.from) * width);
  var found = sought && box.method.toLowerCase().indexOf(sought) >= 0;
  if (right - left < 0.5) return null;
  return {
    type: 'rect',
    shape: { x: left, y: box.depth * flameRow, width: Math.max(0.5, right - left - 1), height: flameRow - 1, r: 2 },
    style: { fill: flameColour(box), opacity: sought && !found ? 0.15 : flameOpacity(box), stroke: found ? css('--ink') : 'none', lineWidth: 1.2 },
    emphasis: { style: { opacity: 0.85 } },
    textConfig: { position: 'insideLeft' },
    textContent: {
      style: {
        text: right - left < 28 ? '' : box.method.split('.').slice(-2).join('.'), fill: css('--ink'), fontSize: 11.5, fontFamily: css('--sans'),
        fontWeight: box.origin === 0 ? 650 : 400, width: right - left - 10, overflow: 'truncate'
      }
    }
  };
}

function flameColour(box) {
  if (box.change === undefined) return css(['--c1', '--c0', '--c6'][box.origin]);
  return css(box.change > 0 ? '--bad' : box.change < 0 ? '--accent' : '--c6');
}
function flameOpacity(box) {
  if (box.change === undefined) return [0.55, 0.28, 0.22][box.origin];
  return 0.15 + 0.5 * Math.abs(box.change);
}
function flameWords(box) {
  var shares = box.share === undefined ? short(100 * box.width) + ' %'
    : short(100 * box.share) + ' %, in the baseline ' + short(100 * box.other) + ' %' + (box.change ? '' : ': no more than chance');
  return '<b>' + escape(box.method) + '</b><br>' + shares;
}

function soughtIn(id) {
  var input = Array.prototype.find.call(document.querySelectorAll('[data-search]'), function (one) { return one.dataset.search === id; });
  return input.value.trim().toLowerCase();
}
