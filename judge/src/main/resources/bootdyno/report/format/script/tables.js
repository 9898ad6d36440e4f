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
function sortBy(heading, ascends) {
  var body = heading.closest('table').tBodies[0], isFigure = isOfFigures(heading);
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
function isOfFigures(heading) {
  var body = heading.closest('table').tBodies[0];
  return heading.classList.contains('r') || !!body.querySelector('td:nth-child(' + (heading.cellIndex + 1) + ') > svg');
}
function buttonIn(parent, name, words, then) {
  var button = Object.assign(document.createElement('button'), { type: 'button', className: name });
  button.append.apply(button, words);
  button.addEventListener('click', then);
  parent.append(button);
  return button;
}

/** What can be done with a table: sort it, hide its rows with a name, and compare with another baseline, whose ratios are in the page already. */
function Choices(table) {
  var rows = Array.from(table.tBodies[0].rows), headings = Array.from(table.tHead.rows[0].cells);
  var list = table.parentNode.querySelector('[data-baselines]');
  var shows = Object.assign(document.createElement('div'), { className: 'choices' });
  function nameIn(row) { return row.querySelector('.sw + span'); }
  function nameOf(row) { return nameIn(row) ? nameIn(row).textContent : ''; }
  function compare() {
    rows.forEach(function (row, nth) {
      row.classList.toggle('baseline', nth === +list.value);
      row.querySelectorAll('[data-against]').forEach(function (ratio) { ratio.toggleAttribute('hidden', ratio.dataset.against !== list.value); });
    });
  }
  function hide(row) {
    row.hidden = true;
    return buttonIn(shows, '', ['Show ' + nameOf(row)], function () {
      row.hidden = false;
      this.remove();
      row.querySelector('.hide').focus();
      remember();
    });
  }
  if (rows.length > 2) {
    headings.forEach(function (heading) {
      buttonIn(heading, 'sort', Array.from(heading.childNodes), function () {
        var before = heading.getAttribute('aria-sort');
        sortBy(heading, isOfFigures(heading) ? before === 'descending' : before !== 'ascending');
        remember();
      });
    });
    rows.filter(nameOf).forEach(function (row) {
      var name = nameIn(row), button = buttonIn(name, 'hide', ['×'], function () {
        hide(row).focus();
        remember();
      });
      name.after(button);
      button.setAttribute('aria-label', 'Hide ' + nameOf(row));
    });
    table.after(shows);
  }
  if (list) list.addEventListener('change', function () { compare(); remember(); });

  /** Puts what was chosen into `view`, under names that end with `nth`. */
  this.write = function (view, nth) {
    var sorted = headings.find(function (heading) { return heading.hasAttribute('aria-sort'); });
    if (sorted) view.set('sort' + nth, (sorted.getAttribute('aria-sort') === 'descending' ? '-' : '') + sorted.textContent);
    if (list && !list.selectedOptions[0].defaultSelected) view.set('baseline' + nth, list.selectedOptions[0].textContent);
    rows.forEach(function (row) { if (row.hidden) view.append('hide' + nth, nameOf(row)); });
  };
  /** Chooses what `view` has of it; names that are not in the table are ignored. */
  this.read = function (view, nth) {
    var sort = view.get('sort' + nth) || '', hidden = view.getAll('hide' + nth), descends = sort[0] === '-';
    var heading = rows.length > 2 && headings.find(function (one) { return one.textContent === sort.slice(descends); });
    if (heading) sortBy(heading, !descends);
    var option = list && Array.from(list.options).find(function (one) { return one.textContent === view.get('baseline' + nth); });
    if (option) {
      option.selected = true;
      compare();
    }
    rows.forEach(function (row) { if (row.querySelector('.hide') && hidden.indexOf(nameOf(row)) >= 0) hide(row); });
  };
}

// What was chosen stands in the address: a link shows the same view.
var VIEW = '#view&';
var choices = Array.from(document.querySelectorAll('.card.table > table')).map(function (table) { return new Choices(table); });
function remember() {
  var view = new URLSearchParams();
  choices.forEach(function (of, nth) { of.write(view, nth); });
  var words = String(view);
  try {
    history.replaceState(null, '', words ? VIEW + words : location.href.split('#')[0]);
  } catch (refused) { /* In a frame or a mail: the choice lasts as long as the page. */ }
}
if (location.hash.startsWith(VIEW)) {
  var view = new URLSearchParams(location.hash.slice(VIEW.length));
  choices.forEach(function (of, nth) { of.read(view, nth); });
}
window.addEventListener('hashchange', function () { if (location.hash.startsWith(VIEW)) location.reload(); });
