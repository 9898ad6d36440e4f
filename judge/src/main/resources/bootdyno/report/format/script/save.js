// Saves what a chart shows: as SVG in the colours of the page, and its figures as CSV.
var PAINT = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font', 'text-anchor', 'vector-effect', 'display'];
function svgOf(picture) {
  var copy = picture.cloneNode(true), own = picture.querySelectorAll('*');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.style.background = getComputedStyle(picture.closest('.card')).backgroundColor;
  copy.querySelectorAll('*').forEach((element, nth) => {
    var computed = getComputedStyle(own[nth]);
    PAINT.forEach(name => element.style[name] = computed[name]);
  });
  return new XMLSerializer().serializeToString(copy);
}
/** In a spreadsheet, text that begins like a formula would be one. */
function field(text) { return '"' + String(text).replace(/^[=+@\t]/, "'$&").replace(/"/g, '""') + '"'; }
function csvOf(picture) {
  var kind = values[picture.closest('.chart').classList[1]];
  var rows = kind ? linesIn(picture).flatMap(line => {
    return line.points.map(point => [line.name, kind.x(point[0]), kind.y(point[1]), point[2] ? 'at least' : 'measured']);
  }) : Array.from(picture.querySelectorAll('[data-tip]')).flatMap(told => {
    var lines = told.dataset.tip.split('\n');
    return lines.length === 1 ? [lines] : lines.slice(1).map(line => [lines[0], line]);
  });
  return rows.map(row => row.map(field).join(',')).join('\r\n') + '\r\n';
}
function save(name, type, text) {
  var link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
all('.chart').forEach(chart => {
  var buttons = document.createElement('div');
  buttons.className = 'choices save';
  [['svg', 'image/svg+xml', svgOf], ['csv', 'text/csv', csvOf]].forEach(format => {
    var button = document.createElement('button');
    button.className = 'quiet';
    button.textContent = format[0].toUpperCase();
    button.title = 'Save this chart as ' + button.textContent;
    button.addEventListener('click', function () {
      save(chart.id.slice('chart-'.length) + '.' + format[0], format[1], format[2](chart.querySelector('.plot:not([hidden])')));
    });
    buttons.append(button);
  });
  chart.after(buttons);
});
