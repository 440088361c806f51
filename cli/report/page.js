'use strict';
// What every page of a report has: figures, elements, charts, conditions. The text of the report itself comes behind it.
const report = JSON.parse(document.getElementById('data').textContent);
const {conditions, roofline} = report;
const bestOf = list => list.reduce((best, row) => best && best.gflops >= row.gflops ? best : row, null);

// Figures as people read them.
function digits(value, count = 3) {
  if (value === null || value === undefined) return '';
  if (value === 0) return '0';
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.min(Math.max(count - before, 0), 6));
}
function inUnits(value, units) {
  let unit = 0;
  while (value >= 1000 && unit + 1 < units.length) { value /= 1000; unit++; }
  return `${digits(value)} ${units[unit]}`;
}
const rate = gflops => inUnits(gflops * 1000, ['MFLOP/s', 'GFLOP/s', 'TFLOP/s', 'PFLOP/s']);
const bandwidth = bytes => inUnits(bytes / 1e6, ['MB/s', 'GB/s', 'TB/s']);
const times = value => value === null ? '' : `${digits(value)}×`;
const percent = value => value === null ? '' : `${digits(value * 100, 2)} %`;

// On a phone a name and its variant stand below each other.
const narrow = matchMedia('(max-width: 560px)');

// Elements, never markup, from what the report says.
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
function section(heading, words, ...children) {
  const element = make('section', {}, make('h2', {}, heading), make('p', {}, words), ...children);
  document.getElementById('sections').append(element);
}

// Charts take their colours from the page and are drawn anew when those or the layout change.
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const drawn = [];
function chart(height, configure) {
  const canvas = make('canvas');
  const box = make('div', {className: 'chart'}, canvas);
  drawn.push({canvas, box, height, configure, chart: null});
  return box;
}
function draw() {
  Chart.defaults.color = colour('faint');
  Chart.defaults.borderColor = colour('grid');
  Chart.defaults.font.family = 'system-ui, sans-serif';
  Chart.defaults.animation = false;
  Chart.defaults.maintainAspectRatio = false;
  for (const item of drawn) {
    if (item.chart) item.chart.destroy();
    item.box.style.height = `${item.height()}px`;
    item.chart = new Chart(item.canvas, item.configure());
  }
}
for (const query of [matchMedia('(prefers-color-scheme: dark)'), narrow]) query.addEventListener('change', draw);

const compact = new Intl.NumberFormat('en', {notation: 'compact'});
const barScales = (unit, stacked) => ({
  x: {stacked, beginAtZero: true, title: {display: true, text: unit}, ticks: {maxTicksLimit: 6, maxRotation: 0, callback: value => compact.format(value)}},
  y: {stacked, grid: {display: false}, ticks: {color: colour('ink'), autoSkip: false}},
});

// Writes each bar's value behind its end.
const barValues = text => ({
  id: 'barValues',
  afterDatasetsDraw({ctx, data, chartArea}, _, {datasets = data.datasets.length - 1} = {}) {
    ctx.save();
    ctx.fillStyle = colour('ink');
    ctx.font = '12px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    const bars = arguments[0].getDatasetMeta(datasets).data;
    bars.forEach((bar, i) => ctx.fillText(text(i), Math.max(bar.x, chartArea.left) + 6, bar.y));
    ctx.restore();
  },
});

// Names of points: each beside its point, where it covers neither another name nor another point; else with a leader
// line to the nearest free place, and left to the tooltip where there is none.
const pointNames = {
  id: 'pointNames',
  afterDatasetsDraw(chart) {
    const {ctx, chartArea} = chart;
    const dataset = chart.data.datasets.findIndex(each => each.names);
    const points = chart.getDatasetMeta(dataset).data.map((point, i) => ({x: point.x, y: point.y, name: chart.data.datasets[dataset].names[i]}));
    const height = 14;
    ctx.save();
    ctx.font = '12px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    const taken = points.map(({x, y}) => ({left: x - 6, right: x + 6, top: y - 6, bottom: y + 6}));
    const isFree = box => box.left >= chartArea.left && box.right <= chartArea.right && box.top >= chartArea.top &&
      box.bottom <= chartArea.bottom && !taken.some(other => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top);
    for (const {x, y, name} of [...points].sort((one, other) => one.y - other.y)) {
      if (!name) continue;
      const width = ctx.measureText(name).width;
      let place = null;
      for (let far = 0; far < 8 && !place; far++) {
        for (const side of [1, -1]) {
          for (const up of far === 0 ? [0] : [-far, far]) {
            const left = side > 0 ? x + 10 + 4 * Math.min(far, 4) : x - 10 - 4 * Math.min(far, 4) - width;
            const box = {left: left - 2, right: left + width + 2, top: y + up * height - height / 2, bottom: y + up * height + height / 2};
            if (!place && isFree(box)) place = {box, left, up, side};
          }
        }
      }
      if (!place) continue;
      taken.push(place.box);
      const middle = y + place.up * height;
      if (place.up !== 0) {
        ctx.strokeStyle = colour('faint');
        ctx.lineWidth = 0.5;
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(place.side > 0 ? place.left - 2 : place.left + width + 2, middle);
        ctx.stroke();
      }
      ctx.fillStyle = colour('ink');
      ctx.fillText(name, place.left, middle);
    }
    ctx.restore();
  },
};

function conditionList() {
  const entries = [
    ['adapter', `${conditions.adapter} (${conditions.adapter_type}); ${conditions.choice}`],
    ['driver', conditions.driver],
    ['library', `${conditions.library}, version ${conditions.library_version}, on ${conditions.backend}; ${conditions.library_path}`],
    ['limits', conditions.minimum_limits ? "the specification's minimum" : "the adapter's own"],
    ['timing', roofline.timing === 'timestamps' ? `timestamps of the device, in steps of ${digits(conditions.timestamp_quantum_ns)} ns` : "the host's clock around a drained queue"],
    ['floor', `an empty dispatch takes ${digits(roofline.empty_dispatch_ms)} ms`],
    ['roofline', `copy ${bandwidth(roofline.bytes_per_second)}, fused multiply-adds ${rate(roofline.flops_per_second / 1e9)}`],
    ['inputs', `random, seed ${report.seed}`],
    ['CPU', `${conditions.cpu}, ${conditions.cpu_threads} threads; ${conditions.blas}`],
    ['system', `${conditions.os}, ${conditions.compiler}`],
    ['date', conditions.date],
    ['command', make('code', {}, report.command)],
  ];
  return make('dl', {}, ...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

function figure(value, words) {
  document.getElementById('figures').append(make('div', {}, make('b', {}, value), make('span', {}, words)));
}
