// What a chart says where a reader points: of a title, its text; of lines in units, their values at that place, also by the arrow keys.
var tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.body.append(tip);

function say(lines, at) {
  tip.replaceChildren.apply(tip, lines.map((line, nth) => {
    var row = document.createElement(nth === 0 ? 'b' : 'div');
    if (line.colour) row.append(Object.assign(document.createElement('span'), { className: 'sw ' + line.colour }));
    row.append(line.words);
    return row;
  }));
  tip.hidden = false;
  var left = at.x + 14 + tip.offsetWidth > document.documentElement.clientWidth ? at.x - 14 - tip.offsetWidth : at.x + 14;
  tip.style.left = Math.max(4, left) + scrollX + 'px';
  tip.style.top = at.y + 14 + scrollY + 'px';
}
function quiet() {
  tip.hidden = true;
  all('.cross').forEach(cross => cross.remove());
}

function short(value) { return value >= 1000 ? Math.round(value).toLocaleString('en') : String(+value.toPrecision(3)); }
function duration(ms) { return ms >= 1000 ? +(ms / 1000).toPrecision(3) + ' s' : +ms.toPrecision(3) + ' ms'; }
/** Values of a chart's axes from their units: per cent and milliseconds, seconds and the figure of a panel; and how they are said. */
var values = {
  curves: { x: x => +(100 - 100 / Math.pow(10, x)).toPrecision(6), y: y => +Math.pow(10, y).toPrecision(4) },
  timeline: { x: Number, y: Number }
};
var words = {
  curves: { x: x => values.curves.x(x) + ' %', y: y => duration(Math.pow(10, y)) },
  timeline: { x: x => short(x) + ' s', y: short }
};

/** The lines that are shown in `svg`, each with its points as [x, y, whether y is a lower bound]. */
function linesIn(svg) {
  return Array.from(svg.querySelectorAll('.units g:not([hidden])')).map(line => {
    var points = Array.from(line.querySelectorAll('path')).flatMap(path => {
      return path.getAttribute('d').slice(1).match(/\S+ \S+/g).map(pair => {
        return pair.split(' ').map(Number).concat(path.classList.contains('bound'));
      });
    });
    return { name: line.dataset.name, colour: line.getAttribute('class'), points: points };
  });
}
function nearest(points, x) {
  return points.reduce((best, point) => Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best);
}
/** Shows the values at `x`, in units, and a vertical line there. */
function pointAt(svg, x, y) {
  var kind = words[svg.closest('.chart').classList[1]];
  var lines = linesIn(svg).filter(line => line.points.length);
  if (!lines.length) return;
  var place = nearest(lines[0].points, x)[0];
  var found = lines.map(line => { return { line: line, point: nearest(line.points, place) }; });
  if (kind === words.curves) found.sort((a, b) => b.point[1] - a.point[1]);
  quiet();
  var units = svg.querySelector('.units').getScreenCTM(), whole = svg.getScreenCTM(), own = svg.viewBox.baseVal;
  var across = (place * units.a + units.e - whole.e) / whole.a;
  var cross = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  cross.setAttribute('class', 'cross');
  cross.setAttribute('d', 'M' + across + ' 20V' + (own.height - 40));
  svg.append(cross);
  svg.at = { x: place, points: lines[0].points };
  var box = svg.getBoundingClientRect();
  say([{ words: kind.x(place) }].concat(found.map(one => {
    return { colour: one.line.colour, words: one.line.name + ': ' + (one.point[2] ? '≥ ' : '') + kind.y(one.point[1]) };
  })), { x: box.left + across * box.width / own.width, y: y === undefined ? box.top + 20 : y });
}

all('.plot title').forEach(title => {
  title.parentNode.dataset.tip = title.textContent;
  title.remove();
});
// Hints, for who has no pointer.
all('[title]').forEach(hinted => {
  hinted.tabIndex = 0;
  hinted.addEventListener('focus', function () {
    var box = hinted.getBoundingClientRect();
    if (hinted.title) say([{ words: hinted.title }], { x: box.left, y: box.bottom });
  });
  hinted.addEventListener('blur', quiet);
});
document.addEventListener('pointermove', event => {
  var told = event.target.closest && event.target.closest('[data-tip]');
  var svg = event.target.closest && event.target.closest('.plot');
  if (told) {
    quiet();
    var hidden = Array.from(svg.querySelectorAll('[data-name][hidden]')).map(line => line.dataset.name + ': ');
    say(told.dataset.tip.split('\n').filter(line => {
      return !hidden.some(name => line.startsWith(name));
    }).map(line => { return { words: line }; }), { x: event.clientX, y: event.clientY });
  } else if (svg && svg.querySelector('.units')) {
    var matrix = svg.querySelector('.units').getScreenCTM();
    pointAt(svg, (event.clientX - matrix.e) / matrix.a, event.clientY);
  } else quiet();
});
document.addEventListener('keydown', event => {
  var svg = event.target.matches('.plot') ? event.target : null;
  var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!svg || !step) return;
  event.preventDefault();
  var points = svg.at ? svg.at.points : linesIn(svg)[0].points;
  var now = svg.at ? points.findIndex(point => point[0] === svg.at.x) : -1;
  var next = points[Math.max(0, Math.min(points.length - 1, now + step))];
  pointAt(svg, next[0]);
});
all('.plot').forEach(svg => {
  if (svg.querySelector('.units')) svg.setAttribute('tabindex', '0');
  svg.addEventListener('blur', quiet);
});
