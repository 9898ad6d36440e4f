// Names at the right ends of lines on a logarithmic scale: ordered like the ends, without overlaps, above the axis.
var labelHeight = 15;

/** The width of the names, at most a third of the chart; without names, half an axis label. */
function labelMargin(id, names) {
  var limit = Math.min(260, document.getElementById('chart-' + id).clientWidth / 3);
  return names.reduce(function (most, name) { return Math.max(most, Math.min(limit, 22 + name.length * 7.4)); }, 32);
}

/** Adds a label to each of `ends`: {series, name, paint, y}, y in the unit of the axis from `f.leastY` to `f.mostY`. */
function labelEnds(id, ends, f, grid) {
  var top = grid.top;
  var bottom = document.getElementById('chart-' + id).clientHeight - grid.bottom;
  ends.forEach(function (end) { end.pixel = bottom - (bottom - top) * Math.log(end.y / f.leastY) / Math.log(f.mostY / f.leastY); });
  ends.sort(function (a, b) { return a.pixel - b.pixel; });
  apart(ends, top + 6, bottom - 9);
  ends.forEach(function (end) {
    end.series.endLabel = {
      show: true, formatter: end.name, color: end.paint, fontSize: 12, fontWeight: 600, verticalAlign: 'middle', align: 'left',
      width: grid.right - 14, overflow: 'truncate'
    };
    end.series.labelLayout = function () { return { x: drawn[id].getWidth() - grid.right + 8, y: end.at }; };
  });
}

/** Moves the sorted ends apart as little as possible: overlapping neighbours form a group around their mean position. */
function apart(ends, top, bottom) {
  var heaps = [];
  ends.forEach(function (end, i) {
    var heap = { sum: end.pixel - i * labelHeight, size: 1 };
    while (heaps.length && heaps[heaps.length - 1].sum / heaps[heaps.length - 1].size > heap.sum / heap.size) {
      var above = heaps.pop();
      heap = { sum: heap.sum + above.sum, size: heap.size + above.size };
    }
    heaps.push(heap);
  });
  var last = bottom - (ends.length - 1) * labelHeight;
  var i = 0;
  heaps.forEach(function (heap) {
    var offset = Math.max(top, Math.min(last, heap.sum / heap.size));
    for (var n = 0; n < heap.size; n++, i++) ends[i].at = offset + i * labelHeight;
  });
}
