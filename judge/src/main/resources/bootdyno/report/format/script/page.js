// Buttons: which lines and which cells are shown, the theme, and what can be copied.
var root = document.documentElement;
var THEME = 'boot-dyno-theme';
function all(selector) { return document.querySelectorAll(selector); }
function press(button, pressed) { button.setAttribute('aria-pressed', String(pressed)); }

/** The charts whose lines the buttons of `group` show and hide. */
function chartsOf(group) { return all('.chart[data-group="' + CSS.escape(group) + '"]'); }
function eachLine(group, name, then) {
  chartsOf(group).forEach(chart => {
    chart.querySelectorAll('[data-name]').forEach(line => { if (name === null || line.dataset.name === name) then(line, chart); });
  });
}
function show(group, name, shown) { eachLine(group, name, function (line) { line.toggleAttribute('hidden', !shown); }); }

/** Shows one of the pictures of a chart, or one of its flame graphs. */
function choose(id, value) {
  var chart = document.getElementById('chart-' + id);
  if (chart.classList.contains('flame')) return drawFlame(id);
  Array.from(chart.children).forEach((picture, nth) => { picture.toggleAttribute('hidden', nth !== +value); });
}

document.addEventListener('click', event => {
  var button = event.target.closest('button');
  if (!button) return;
  var choice = button.dataset;
  if (choice.copy !== undefined) {
    navigator.clipboard?.writeText(choice.copy).then(() => { button.textContent = 'Copied'; }, () => {});
  } else if (choice.line !== undefined) {
    var shown = button.getAttribute('aria-pressed') === 'false';
    press(button, shown);
    show(choice.group, choice.line, shown);
  } else if (choice.all !== undefined) {
    all('[data-line]').forEach(line => { if (line.dataset.group === choice.group) press(line, choice.all); });
    show(choice.group, null, choice.all === 'true');
  } else if (choice.choice !== undefined) {
    all('button[data-choice]').forEach(other => {
      if (other.dataset.choice === choice.choice) press(other, other === button);
    });
    choose(choice.choice, button.value);
  } else if (choice.whole !== undefined) {
    delete enlarged[choice.whole];
    drawFlame(choice.whole);
  }
});
// Pointing at a name makes the other lines faint.
['mouseover', 'mouseout'].forEach(kind => {
  document.addEventListener(kind, event => {
    var button = event.target.closest('[data-line]');
    if (!button) return;
    eachLine(button.dataset.group, null, line => {
      line.classList.toggle('faint', kind === 'mouseover' && line.dataset.name !== button.dataset.line);
    });
  });
});
document.addEventListener('change', event => { if (event.target.dataset.choice) choose(event.target.dataset.choice, event.target.value); });
document.getElementById('theme').addEventListener('click', function () {
  var dark = root.dataset.theme === 'dark' || (root.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme:dark)').matches);
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem(THEME, root.dataset.theme); } catch (refused) { /* A file, or a mail: the choice lasts as long as the page. */ }
});
var theme = new URLSearchParams(location.search).get('theme');
try { theme = theme || localStorage.getItem(THEME); } catch (refused) { /* As above. */ }
if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
