// Headings sort their table: figures by value, words by letter; what has no figure stays last. Without script they are plain text.
var UNITS = { 'µs': 1e-3, s: 1e3, min: 6e4, KiB: 1 / 1024, GiB: 1024 };
function figureOf(whole) {
  var drawing = whole.querySelector('svg'), words = whole.querySelector('span:not(.sw)');
  var text = drawing ? drawing.getAttribute('aria-label').split(': ').pop() : (words || whole).textContent;
  var found = /-?\d[\d,]*(?:\.\d+)?/.exec(text);
  if (!found) return null;
  var unit = text.slice(found.index + found[0].length).trim().split(' ')[0];
  return parseFloat(found[0].replace(/,/g, '')) * (UNITS[unit] || 1);
}
function sortBy(heading, ascends) {
  var body = heading.closest('table').tBodies[0], isFigure = isOfFigures(heading);
  heading.parentNode.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));
  heading.setAttribute('aria-sort', ascends ? 'ascending' : 'descending');
  Array.from(body.rows).map(row => {
    var cell = row.cells[heading.cellIndex];
    return { row: row, value: isFigure ? figureOf(cell) : cell.textContent.trim().toLowerCase() };
  }).sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (ascends ? 1 : -1);
  }).forEach(sorted => body.appendChild(sorted.row));
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

/** What can be done with a table. Its cells of ratios have those to all baselines. */
function Choices(table) {
  var rows = Array.from(table.tBodies[0].rows), headings = Array.from(table.tHead.rows[0].cells);
  var list = table.parentNode.querySelector('[data-baselines]');
  var shows = Object.assign(document.createElement('div'), { className: 'choices' });
  function nameIn(row) { return row.querySelector('.sw + span'); }
  function nameOf(row) { return nameIn(row) ? nameIn(row).textContent : ''; }
  var bars = rows.map(row => row.querySelector('svg.bar'));
  var own = rows.length > 2 && bars.some(Boolean) ? headings[bars.find(Boolean).closest('td').cellIndex] : null, measured = own;
  var first = own && { title: own.textContent, bars: bars.map(bar => bar && [bar.innerHTML, bar.getAttribute('aria-label')]) };
  var measures = Object.assign(document.createElement('div'), { className: 'choices' }), sought = null;
  function titleIn(heading) { return (heading.querySelector('.sort') || heading).firstChild; }
  function measureOf(heading) { return (heading === own ? first.title : titleIn(heading).textContent).split(' (')[0]; }
  /** Lets the bars show the column of `heading`: its figures to scale, or the first drawing. */
  function draw(heading) {
    var figures = rows.map(row => figureOf(row.cells[heading.cellIndex]) || 0), most = Math.max.apply(null, figures) || 1;
    var title = heading === own ? first.title : measureOf(heading) + ' (bar)';
    measured = heading;
    bars.forEach((bar, nth) => {
      if (!bar) return;
      bar.innerHTML = first.bars[nth][0];
      bar.setAttribute('aria-label', first.bars[nth][1]);
      if (heading === own) return;
      bar.replaceChildren(bar.firstChild);
      bar.firstChild.setAttribute('width', 160 * figures[nth] / most);
      bar.setAttribute('aria-label', nameOf(rows[nth]) + ': ' + rows[nth].cells[heading.cellIndex].textContent.trim());
    });
    titleIn(own).textContent = title;
    table.style.setProperty('--h' + (own.cellIndex + 1), JSON.stringify(title));
    measures.querySelectorAll('button').forEach(button => press(button, button.textContent === measureOf(heading)));
  }
  function seek(text) {
    rows.forEach(row => row.classList.toggle('other', row.textContent.toLowerCase().indexOf(text.trim().toLowerCase()) < 0));
  }
  function compare() {
    rows.forEach((row, nth) => {
      row.classList.toggle('baseline', nth === +list.value);
      row.querySelectorAll('[data-against]').forEach(cell => {
        var [ratio, interval, hint] = cell.dataset.against.split(';')[list.value].split('|'), isRatio = /\d/.test(ratio);
        var figure = cell.querySelector('span'), range = cell.querySelector('.beside');
        Object.assign(figure, { textContent: ratio + (isRatio ? '×' : ''), className: isRatio ? '' : 'dim' });
        figure.title = list.dataset.baselines.split('|')[hint] || '';
        if (!range) cell.append(range = Object.assign(document.createElement('div'), { className: 'beside' }));
        range.textContent = /^\d/.test(interval) ? '[' + interval + ']' : interval || '';
      });
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
    headings.forEach(heading => {
      buttonIn(heading, 'sort', Array.from(heading.childNodes), function () {
        var before = heading.getAttribute('aria-sort');
        sortBy(heading, isOfFigures(heading) ? before === 'descending' : before !== 'ascending');
        remember();
      });
    });
    rows.filter(nameOf).forEach(row => {
      var name = nameIn(row), button = buttonIn(name, 'hide', ['×'], function () {
        hide(row).focus();
        remember();
      });
      name.after(button);
      button.setAttribute('aria-label', 'Hide ' + nameOf(row));
    });
    table.after(shows);
  }
  if (own) {
    headings.filter(heading => heading === own || (heading.matches('.r') && measureOf(heading) !== measureOf(own))).forEach(heading => {
      buttonIn(measures, '', [measureOf(heading)], function () {
        draw(heading);
        remember();
      });
    });
    measures.setAttribute('role', 'group');
    measures.setAttribute('aria-label', 'Measure of the bars');
    table.before(measures);
    draw(own);
  }
  if (rows.length > 12 && rows.some(nameOf)) {
    sought = Object.assign(document.createElement('input'), { type: 'search', placeholder: 'find a variant' });
    sought.setAttribute('aria-label', 'Find a variant');
    sought.addEventListener('input', () => { seek(sought.value); remember(); });
    measures.append(sought);
    table.before(measures);
  }
  if (list) list.addEventListener('change', () => { compare(); remember(); });

  /** Puts what was chosen into `view`, under names that end with `nth`. */
  this.write = (view, nth) => {
    var sorted = headings.find(heading => heading.hasAttribute('aria-sort'));
    if (sorted) view.set('sort' + nth, (sorted.getAttribute('aria-sort') === 'descending' ? '-' : '') + sorted.textContent);
    if (list && !list.selectedOptions[0].defaultSelected) view.set('baseline' + nth, list.selectedOptions[0].textContent);
    if (measured !== own) view.set('measure' + nth, measureOf(measured));
    if (sought && sought.value) view.set('find' + nth, sought.value);
    rows.forEach(row => { if (row.hidden) view.append('hide' + nth, nameOf(row)); });
  };
  /** Chooses what `view` has of it; names that are not in the table are ignored. */
  this.read = (view, nth) => {
    var sort = view.get('sort' + nth) || '', hidden = view.getAll('hide' + nth), descends = sort[0] === '-';
    var measure = own && headings.find(one => one.matches('.r') && measureOf(one) === view.get('measure' + nth));
    if (measure) draw(measure);
    if (sought && view.get('find' + nth)) seek(sought.value = view.get('find' + nth));
    var heading = rows.length > 2 && headings.find(one => one.textContent === sort.slice(descends));
    if (heading) sortBy(heading, !descends);
    var option = list && Array.from(list.options).find(one => one.textContent === view.get('baseline' + nth));
    if (option) {
      option.selected = true;
      compare();
    }
    rows.forEach(row => { if (row.querySelector('.hide') && hidden.indexOf(nameOf(row)) >= 0) hide(row); });
  };
}

// What was chosen stands in the address: a link shows the same view.
var VIEW = '#view&';
var choices = Array.from(all('.card.table > table')).map(table => new Choices(table));
function remember() {
  var view = new URLSearchParams();
  choices.forEach((of, nth) => { of.write(view, nth); });
  var words = String(view);
  try {
    history.replaceState(null, '', words ? VIEW + words : location.href.split('#')[0]);
  } catch (refused) { /* In a frame or a mail: the choice lasts as long as the page. */ }
}
if (location.hash.startsWith(VIEW)) {
  var view = new URLSearchParams(location.hash.slice(VIEW.length));
  choices.forEach((of, nth) => { of.read(view, nth); });
}
window.addEventListener('hashchange', () => { if (location.hash.startsWith(VIEW)) location.reload(); });
