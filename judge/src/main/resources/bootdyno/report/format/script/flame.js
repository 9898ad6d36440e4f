// Calls below their callers; the width of a box is its share of all samples.
var flames = JSON.parse(document.getElementById('flame-figures').textContent);
var flameRow = 19;
var enlarged = {};

function escape(text) { return text.replace(/[&<>"]/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; }); }
/** The selected item of the chart's list, or its pressed button. */
function chosen(id) {
  return +Array.from(all('[data-choice]')).find(choice => {
    return choice.dataset.choice === id && (choice.tagName === 'SELECT' || choice.getAttribute('aria-pressed') === 'true');
  }).value;
}
function soughtIn(id) {
  return Array.from(all('[data-search]')).find(one => one.dataset.search === id).value.trim().toLowerCase();
}

/** Boxes with their places from 0 to 1: below their caller, beside the calls before. */
function laidOut(id) {
  var f = flames[id], next = [0];
  return f.graphs[chosen(id)].boxes.map(own => {
    var from = next[own[0]];
    next[own[0]] = from + own[2];
    next[own[0] + 1] = from;
    return {
      depth: own[0], from: from, to: from + own[2], width: own[2], method: f.names[own[1]], origin: f.origins[own[1]],
      share: own[3], other: own[4], change: own[5]
    };
  });
}

function drawFlame(id) {
  var graph = flames[id].graphs[chosen(id)], sought = soughtIn(id);
  var top = enlarged[id] && enlarged[id].graph === graph ? enlarged[id].box : { from: 0, to: 1 };
  var shown = laidOut(id).filter(box => box.from < top.to - 1e-9 && box.to > top.from + 1e-9);
  var height = shown.reduce((most, box) => Math.max(most, box.depth + 1), 1) * flameRow;
  var chart = document.getElementById('chart-' + id);
  chart.innerHTML = '<svg class="plot" height="' + height + '">' + shown.map(box => boxOf(box, top, sought)).join('') + '</svg>';
  Array.from(chart.firstChild.children).forEach((element, nth) => {
    element.addEventListener('click', function () {
      var box = shown[nth];
      enlarged[id] = box.from === top.from && box.to === top.to ? null : { graph: graph, box: box };
      drawFlame(id);
    });
  });
}

function boxOf(box, top, sought) {
  function place(at) { return Math.max(0, Math.min(100, 100 * (at - top.from) / (top.to - top.from))); }
  var found = sought && box.method.toLowerCase().indexOf(sought) >= 0;
  var colour = box.change === undefined ? ['k1', 'k0', 'k6'][box.origin] : box.change > 0 ? 'worse' : box.change < 0 ? 'better' : 'k6';
  var opacity = sought && !found ? 0.15 : box.change === undefined ? [0.55, 0.28, 0.22][box.origin] : 0.15 + 0.5 * Math.abs(box.change);
  return '<svg class="box ' + colour + (found ? ' found' : '') + '" x="' + place(box.from) + '%" width="' + (place(box.to) - place(box.from)) + '%" y="' + box.depth * flameRow +
    '" height="' + (flameRow - 1) + '" data-tip="' + escape(wordsOf(box)) + '"><rect width="100%" height="100%" rx="2" fill-opacity="' + opacity + '"/><text x="5" y="13"' +
    (box.origin === 0 ? ' class="own"' : '') + '>' + escape(box.method.split('.').slice(-2).join('.')) + '</text></svg>';
}
function wordsOf(box) {
  return box.method + '\n' + (box.share === undefined ? short(100 * box.width) + ' %'
    : short(100 * box.share) + ' %, in the baseline ' + short(100 * box.other) + ' %' + (box.change ? '' : ': no more than chance'));
}

/** The widest box of the method that is searched for; the whole graph without a search. */
function enlargeFound(id) {
  var sought = soughtIn(id);
  var found = laidOut(id).filter(box => sought && box.method.toLowerCase().indexOf(sought) >= 0);
  if (sought && !found.length) return;
  var widest = found.sort((a, b) => b.width - a.width)[0];
  enlarged[id] = widest ? { graph: flames[id].graphs[chosen(id)], box: widest } : null;
  drawFlame(id);
}
document.addEventListener('input', event => { if (event.target.dataset.search) drawFlame(event.target.dataset.search); });
document.addEventListener('keydown', event => { if (event.target.dataset.search && event.key === 'Enter') enlargeFound(event.target.dataset.search); });
Object.keys(flames).forEach(drawFlame);
