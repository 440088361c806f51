// The benchmark's page.
const rows = report.rows;
const timed = rows.filter(row => row.ms !== null);
const sizes = row => `${row.batch > 1 ? `${row.batch} × ` : ''}${row.m}×${row.n}×${row.k}`;
const several = key => new Set(timed.map(row => row[key])).size > 1;
// What sets rows of one product apart, as far as the rows differ in it at all.
const series = row => [row.types, several('layout') && row.layout, several('wanted_kernel') && (row.wanted_kernel || "the engine's choice"),
  several('wanted_split') && (row.wanted_split ? `k in ${row.wanted_split}` : 'k as chosen'), row.prepared && 'B prepared',
  row.wanted_shaders === 'unchecked' && 'unchecked'].filter(Boolean).join(' · ');
// A row that was not run has the parts that were asked for.
const parts = row => {
  const count = row.steps === 0 && row.split_k <= 1 ? row.wanted_split : row.split_k;
  return (count > 1 || row.wanted_split > 0) && `k in ${count} ${count === 1 ? 'part' : 'parts'}`;
};
const category = row => row.label && row.label !== 'long k' ? `${row.label}: ${sizes(row)}` : sizes(row);
const shades = ['rung', 'half', 'best', 'unchecked', 'padded', 'bad', 'host', 'warn'];
const allSeries = [...new Set(timed.map(series))];
const shadeOf = name => colour(shades[allSeries.indexOf(name) % shades.length]);

// One group of bars a product, a bar a series.
function groupedBars(list, value, unit, text) {
  const categories = [...new Set(list.map(category))];
  const names = [...new Set(list.map(series))];
  const find = (name, product) => list.find(row => series(row) === name && category(row) === product);
  const height = () => categories.length * Math.max(28, names.length * 16 + 8) + 100;
  return chart(height, () => ({
    type: 'bar',
    data: {
      labels: categories,
      datasets: names.map(name => ({label: name, backgroundColor: shadeOf(name), borderRadius: 2,
        data: categories.map(product => { const row = find(name, product); return row ? value(row) : null; })})),
    },
    options: {
      indexAxis: 'y',
      plugins: {
        legend: {position: 'top', align: 'start', labels: {boxWidth: 12}},
        tooltip: {callbacks: {label: ({dataset, raw}) => `${dataset.label}: ${text(raw)}`}},
      },
      scales: barScales(unit, false),
    },
  }));
}

// Every row over the intensity of its product: operations for each byte of A, B and C, moved once.
function productRoofline() {
  const list = timed.filter(row => row.gigabytes_per_second > 0);
  const intensity = row => row.gflops / row.gigabytes_per_second;
  const peak = roofline.flops_per_second / 1e9;
  const slope = roofline.bytes_per_second / 1e9;
  const decade = (value, round) => 10 ** round(Math.log10(value));
  const xs = [...list.map(intensity), peak / slope];
  const ys = [...list.map(row => row.gflops), peak];
  const x = {min: decade(Math.min(...xs), Math.floor), max: decade(Math.max(...xs) * 1.5, Math.ceil)};
  const y = {min: decade(Math.min(...ys) * 0.9, Math.floor), max: decade(Math.max(...ys) * 1.2, Math.ceil)};
  const roof = [x.min, peak / slope, x.max].map(at => ({x: at, y: Math.min(peak, slope * at)}));
  const power = value => Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6) ? value.toLocaleString('en') : '';
  const points = name => list.filter(row => series(row) === name);
  return chart(() => 460, () => ({
    type: 'scatter',
    data: {
      datasets: [
        {label: 'what the device can reach in f32', data: roof, showLine: true, borderColor: colour('faint'), borderWidth: 2, pointRadius: 0, pointHitRadius: 0},
        ...allSeries.map(name => ({label: name, rows: points(name), backgroundColor: shadeOf(name), pointRadius: 4, pointHoverRadius: 6,
          data: points(name).map(row => ({x: intensity(row), y: row.gflops}))})),
      ],
    },
    options: {
      plugins: {
        legend: {position: 'top', align: 'start', labels: {boxWidth: 12}},
        tooltip: {callbacks: {label: ({dataset, dataIndex, raw}) => dataset.rows ? `${category(dataset.rows[dataIndex])}, ${dataset.label}: ${rate(raw.y)}` : ''}},
      },
      scales: {
        x: {type: 'logarithmic', ...x, title: {display: true, text: 'operations a byte'}, ticks: {callback: power, maxRotation: 0}},
        y: {type: 'logarithmic', ...y, title: {display: true, text: 'GFLOP/s'}, ticks: {callback: power}},
      },
    },
  }));
}

function table(columns, list, cells) {
  const isText = column => ['product', 'verdict', 'now is'].includes(column);
  const head = make('tr', {}, ...columns.map(column => make('th', {className: isText(column) ? 'text' : ''}, column)));
  return make('div', {className: 'scroll'}, make('table', {}, make('thead', {}, head),
    make('tbody', {}, ...list.map(row => make('tr', {}, ...cells(row))))));
}

function productCell(row, ...words) {
  const lines = [row.label, ...words].filter(Boolean);
  return make('td', {className: 'rung'}, make('b', {}, `${sizes(row)} ${row.types} ${row.layout}`), ...lines.map(line => make('span', {}, line)));
}

function resultTable() {
  return table(['product', 'ms', 'least', 'spread', 'rate', 'bytes', 'roofline', 'error / bound', 'verdict'], rows, row => {
    const spread = row.spread === null || row.samples < 2 ? '' : `${row.spread_reached ? '' : '~'}±${percent(row.spread)}`;
    const numbers = row.ms === null ? Array(7).fill('') : [digits(row.ms, 4), digits(row.ms_min, 4), spread, rate(row.gflops),
      bandwidth(row.gigabytes_per_second * 1e9), percent(row.roofline_share), row.error_over_bound.toPrecision(2)];
    const verdictClass = {ok: 'ok', unsupported: 'warn', not_run: 'warn'}[row.status] || 'bad';
    const how = [row.kernel, parts(row), row.prepared && 'B prepared', row.shaders].filter(Boolean).join(' · ');
    return [productCell(row, how, row.note, row.reason, make('code', {}, row.command)), ...numbers.map(number => make('td', {}, number)),
      make('td', {className: `text ${verdictClass}`}, row.status.replace('_', ' '))];
  });
}

function comparisonTable(list) {
  return table(['product', 'ms there', 'ms now', 'ratio', 'now is'], list, row => {
    const {before_ms, ratio, change, way, differs} = row.comparison;
    const shade = {faster: 'ok', slower: 'bad'}[change] || '';
    return [productCell(row, way, differs), ...[digits(before_ms, 4), digits(row.ms, 4), ratio.toFixed(3)].map(text => make('td', {}, text)),
      make('td', {className: `text ${shade}`}, change)];
  });
}

document.getElementById('title').textContent = `Products on ${conditions.adapter}`;
document.getElementById('subtitle').textContent =
  `wgemm ${report.wgemm}, ${conditions.library} on ${conditions.backend}, ${conditions.date.slice(0, 10)}`;
const best = bestOf(timed);
if (best) figure(rate(best.gflops), `best rate: ${sizes(best)} ${best.types}`);
figure(`${rows.filter(row => row.status === 'ok').length} of ${rows.length}`, 'rows are right');
figure(`${digits(roofline.empty_dispatch_ms * 1000)} µs`, 'takes an empty dispatch, the floor');

for (const suite of new Set(timed.map(row => row.suite))) {
  const list = timed.filter(row => row.suite === suite);
  section(suite || 'Sizes given', 'Operations a second; longer is better.', groupedBars(list, row => row.gflops, 'GFLOP/s', rate));
  const vectors = list.filter(row => row.gflops / row.gigabytes_per_second < roofline.flops_per_second / roofline.bytes_per_second);
  if (vectors.length > 0) {
    section(`${suite || 'Sizes given'}: bytes`, `Products that memory limits: each element of A, B and C once, over the time. A copy reaches ${bandwidth(roofline.bytes_per_second)}.`,
      groupedBars(vectors, row => row.gigabytes_per_second, 'GB/s', value => bandwidth(value * 1e9)));
  }
}
if (timed.some(row => row.gigabytes_per_second > 0)) {
  section('The roofline', 'Each row over the operations that its product allows for a byte. The flat part is the peak of f32 multiply-adds, which matrix units on other types may exceed.', productRoofline());
}
if (report.comparison) {
  const list = timed.filter(row => row.comparison);
  const {peer, file, differences, by_group} = report.comparison;
  const means = Object.entries(by_group).map(([types, {geometric_mean, rows: count}]) => `${types}: geometric mean ${geometric_mean.toFixed(3)} of ${count}`);
  section(`Compared with ${peer || file}`, `Ratio: time there over time now; above 1 is faster now. ${means.join('; ')}.`,
    groupedBars(list, row => row.comparison.ratio, 'ratio', value => value.toFixed(3)), comparisonTable(list),
    ...differences.map(line => make('p', {className: 'warn'}, `differs: ${line}`)));
}
section('Every row', 'Times are medians; a ~ marks a spread above the target. Below each row stands the command that runs it alone.', resultTable());
section('Conditions', 'What these figures were measured under.', conditionList());
draw();
