// Headings sort their table: figures by value, words by letter; what has no figure stays last. Without script they are plain text.
var UNITS = { 'µs': 1e-3, s: 1e3, min: 6e4, KiB: 1 / 1024, GiB: 1024 };
function figureOf(whole) {
  var cell = whole.querySelector('[data-against]:not([hidden])') || whole;
  var drawing = cell.querySelector('svg'), words = cell.querySelector('span:not(.sw)');
  var text = drawing ? drawing.getAttribute('aria-label').split(': ').pop() : (words || cell).textContent;
  var found = /-?\d[\d,]*(?:\.\d+)?/.exec(text);
  if (!found) return null;
  var unit = text.slice(found.index + found[0].length).trim().split(' ')[0];
  return parseFloat(found[0].replace(/,/g, '')) * (UNITS[unit] || 1);
}
function sortBy(heading) {
  var body = heading.closest('table').tBodies[0];
  var isFigure = heading.classList.contains('r') || !!body.querySelector('td:nth-child(' + (heading.cellIndex + 1) + ') > svg');
  var before = heading.getAttribute('aria-sort');
  var ascends = isFigure ? before === 'descending' : before !== 'ascending';
  heading.parentNode.querySelectorAll('th').forEach(function (other) { other.removeAttribute('aria-sort'); });
  heading.setAttribute('aria-sort', ascends ? 'ascending' : 'descending');
  Array.from(body.rows).map(function (row) {
    var cell = row.cells[heading.cellIndex];
    return { row: row, value: isFigure ? figureOf(cell) : cell.textContent.trim().toLowerCase() };
  }).sort(function (a, b) {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (ascends ? 1 : -1);
  }).forEach(function (sorted) { body.appendChild(sorted.row); });
}
document.querySelectorAll('.card.table > table').forEach(function (table) {
  if (table.tBodies[0].rows.length < 3) return;
  table.querySelectorAll('th').forEach(function (heading) {
    var button = document.createElement('button');
    button.className = 'sort';
    button.append.apply(button, heading.childNodes);
    button.addEventListener('click', function () { sortBy(heading); });
    heading.append(button);
  });
});
// Another baseline: its ratios are in the page already.
document.querySelectorAll('[data-baselines]').forEach(function (list) {
  var rows = Array.from(list.closest('.card').querySelector('table').tBodies[0].rows);
  list.addEventListener('change', function () {
    rows.forEach(function (row, nth) {
      row.classList.toggle('baseline', nth === +list.value);
      row.querySelectorAll('[data-against]').forEach(function (ratio) { ratio.toggleAttribute('hidden', ratio.dataset.against !== list.value); });
    });
  });
});
