// Draws visible charts, and redraws them after a choice or a change of the theme.
var THEME = 'boot-dyno-theme';
function drawOne(id) {
  if (document.getElementById('chart-' + id).clientWidth) draw[figures[id].kind](id, figures[id]);
}
function drawAll() { Object.keys(figures).forEach(drawOne); }
function drawGroup(group) { Object.keys(figures).filter(function (id) { return figures[id].group === group; }).forEach(drawOne); }
function press(button, pressed) { button.setAttribute('aria-pressed', String(pressed)); }

document.addEventListener('click', function (event) {
  var button = event.target.closest('button');
  if (!button) return;
  var choice = button.dataset;
  if (choice.copy !== undefined) {
    navigator.clipboard?.writeText(choice.copy).then(function () { button.textContent = 'Copied'; }, function () {});
  } else if (choice.line !== undefined) {
    press(button, button.getAttribute('aria-pressed') === 'false');
    drawGroup(choice.group);
  } else if (choice.all !== undefined) {
    document.querySelectorAll('[data-line]').forEach(function (line) { if (line.dataset.group === choice.group) press(line, choice.all); });
    drawGroup(choice.group);
  } else if (choice.choice !== undefined) {
    document.querySelectorAll('button[data-choice]').forEach(function (other) {
      if (other.dataset.choice === choice.choice) press(other, other === button);
    });
    drawOne(choice.choice);
  } else if (choice.whole !== undefined) {
    delete enlarged[choice.whole];
    drawOne(choice.whole);
  }
});
// Hovering over a name highlights its lines.
['mouseover', 'mouseout'].forEach(function (kind) {
  document.addEventListener(kind, function (event) {
    var button = event.target.closest('[data-line]');
    if (!button) return;
    Object.keys(drawn).filter(function (id) { return figures[id].group === button.dataset.group; }).forEach(function (id) {
      drawn[id].dispatchAction({ type: kind === 'mouseover' ? 'highlight' : 'downplay', seriesName: button.dataset.line });
    });
  });
});
document.addEventListener('change', function (event) { if (event.target.dataset.choice) drawOne(event.target.dataset.choice); });
document.addEventListener('input', function (event) { if (event.target.dataset.search) drawOne(event.target.dataset.search); });
document.addEventListener('keydown', function (event) { if (event.target.dataset.search && event.key === 'Enter') enlargeFound(event.target.dataset.search); });
// Collapsed charts have no width until they are opened.
document.addEventListener('toggle', function (event) {
  event.target.querySelectorAll('.chart').forEach(function (chart) { drawOne(chart.id.slice('chart-'.length)); });
}, true);
document.getElementById('theme').addEventListener('click', function () {
  var dark = root.dataset.theme === 'dark' || (root.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme:dark)').matches);
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem(THEME, root.dataset.theme); } catch (refused) { /* A file, or a mail: the choice lasts as long as the page. */ }
  drawAll();
});
matchMedia('(prefers-color-scheme:dark)').addEventListener('change', drawAll);
addEventListener('resize', function () { Object.keys(drawn).forEach(function (id) { drawn[id].resize(); }); });
var theme = new URLSearchParams(location.search).get('theme');
try { theme = theme || localStorage.getItem(THEME); } catch (refused) { /* As above. */ }
if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
drawAll();
