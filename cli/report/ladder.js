// The ladder's page.
const {problem} = report;
const rows = report.rungs.filter(row => row.name !== 'noop');
const timed = rows.filter(row => row.ms !== null);
const single = timed.filter(row => row.operands === 'f32');
const half = timed.filter(row => row.operands === 'f16');
const rungs = single.filter(row => row.kind === 'rung');
const best = bestOf(rungs);

const variants = row => [row.edges === 'padded' && 'zero-padded', row.shaders === 'unchecked' && 'unchecked'].filter(Boolean);
const label = row => [row.name, ...variants(row)].join(' · ');
const axisLabel = row => narrow.matches && variants(row).length > 0 ? [row.name, ...variants(row)] : label(row);

const barHeight = list => list.length * Math.max(28, ...list.map(row => narrow.matches ? 6 + 14 * (1 + variants(row).length) : 0));

function barColour(row) {
  if (row.status === 'wrong') return colour('bad');
  if (row.kind === 'baseline') return colour('host');
  if (row === best) return colour('best');
  if (row.operands === 'f16') return colour('half');
  if (row.edges === 'padded') return colour('padded');
  return colour(row.shaders === 'unchecked' ? 'unchecked' : 'rung');
}

function rateBars(list) {
  return chart(() => barHeight(list) + 60, () => ({
    type: 'bar',
    data: {
      labels: list.map(axisLabel),
      datasets: [{data: list.map(row => row.gflops), backgroundColor: list.map(barColour), borderRadius: 3, barPercentage: 0.8}],
    },
    options: {
      indexAxis: 'y',
      layout: {padding: {right: 64}},
      plugins: {legend: {display: false}, tooltip: {callbacks: {label: ({dataIndex}) => rate(list[dataIndex].gflops)}}},
      scales: barScales('GFLOP/s', false),
    },
    plugins: [barValues(i => digits(list[i].gflops))],
  }));
}

function costBars(list) {
  const parts = [['shader_ms', 'shader module', 'shader'], ['pipeline_ms', 'pipeline', 'pipeline'], ['first_dispatch_ms', 'first dispatch', 'dispatch']];
  return chart(() => barHeight(list) + 96, () => ({
    type: 'bar',
    data: {
      labels: list.map(axisLabel),
      datasets: parts.map(([key, name, shade]) => ({label: name, data: list.map(row => row.start[key]), backgroundColor: colour(shade), barPercentage: 0.8})),
    },
    options: {
      indexAxis: 'y',
      layout: {padding: {right: 64}},
      plugins: {legend: {position: 'top', align: 'start', labels: {boxWidth: 12}}, tooltip: {callbacks: {label: item => `${item.dataset.label}: ${digits(item.raw)} ms`}}},
      scales: barScales('ms', true),
    },
    plugins: [barValues(i => digits(parts.reduce((sum, [key]) => sum + list[i].start[key], 0)))],
  }));
}

function rooflineChart() {
  const list = timed.filter(row => row.intensity > 0);
  const peak = roofline.flops_per_second / 1e9;
  const slope = roofline.bytes_per_second / 1e9;
  const bestIntensity = 2 * problem.m * problem.n * problem.k / (4 * (problem.m * problem.k + problem.k * problem.n + problem.m * problem.n));
  const decade = (value, round) => 10 ** round(Math.log10(value));
  const xs = [...list.map(row => row.intensity), peak / slope, bestIntensity];
  const ys = [...list.map(row => row.gflops), peak];
  const bounds = {
    x: {min: decade(Math.min(...xs), Math.floor), max: decade(Math.max(...xs) * 1.5, Math.ceil)},
    y: {min: decade(Math.min(...ys) * 0.9, Math.floor), max: decade(Math.max(...ys) * 1.2, Math.ceil)},
  };
  const roof = [bounds.x.min, peak / slope, bounds.x.max].map(x => ({x, y: Math.min(peak, slope * x)}));
  const power = value => Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6) ? value.toLocaleString('en') : '';
  return chart(() => 460, () => ({
    type: 'scatter',
    data: {
      datasets: [
        {label: 'what the device can reach', data: roof, showLine: true, borderColor: colour('faint'), borderWidth: 2, pointRadius: 0, pointHitRadius: 0},
        {label: 'at best for this product', data: [{x: bestIntensity, y: bounds.y.min}, {x: bestIntensity, y: Math.min(peak, slope * bestIntensity)}],
          showLine: true, borderColor: colour('faint'), borderDash: [4, 4], borderWidth: 1, pointRadius: 0, pointHitRadius: 0},
        {label: 'rungs', names: list.map(row => variants(row).length === 0 || row === best ? label(row) : ''), rows: list, data: list.map(row => ({x: row.intensity, y: row.gflops})), pointRadius: 5, pointHoverRadius: 7,
          pointStyle: list.map(row => row.operands === 'f16' ? 'rectRot' : 'circle'), pointBackgroundColor: list.map(barColour), pointBorderColor: colour('card')},
      ],
    },
    options: {
      plugins: {
        legend: {display: false},
        tooltip: {callbacks: {label: item => item.dataset.rows ? `${label(item.dataset.rows[item.dataIndex])}: ${rate(item.raw.y)} at ${digits(item.raw.x)} operations a byte` : ''}},
      },
      scales: {
        x: {type: 'logarithmic', ...bounds.x, title: {display: true, text: 'operations a byte'}, ticks: {callback: power, maxRotation: 0}},
        y: {type: 'logarithmic', ...bounds.y, title: {display: true, text: 'GFLOP/s'}, ticks: {callback: power}},
      },
    },
    plugins: [pointNames],
  }));
}

function sweepBars(list) {
  const good = list.filter(row => row.status === 'ok');
  const fastest = bestOf(good);
  return chart(() => barHeight(good) + 60, () => ({
    type: 'bar',
    data: {
      labels: good.map(row => row.name),
      datasets: [{data: good.map(row => row.gflops), backgroundColor: good.map(row => colour(row === fastest ? 'best' : 'rung')), borderRadius: 3, barPercentage: 0.8}],
    },
    options: {
      indexAxis: 'y',
      layout: {padding: {right: 64}},
      plugins: {legend: {display: false}, tooltip: {callbacks: {afterLabel: ({dataIndex}) => good[dataIndex].kernel}}},
      scales: barScales('GFLOP/s', false),
    },
    plugins: [barValues(i => digits(good[i].gflops))],
  }));
}

function resultTable(list) {
  const columns = ['rung', 'ms', 'spread', 'GFLOP/s', '× before', '× naive', 'roofline', 'error / bound', 'verdict'];
  const isText = column => ['rung', 'verdict'].includes(column);
  const head = make('tr', {}, ...columns.map(column => make('th', {className: isText(column) ? 'text' : ''}, column)));
  const verdictClass = {ok: 'ok', unsupported: 'warn'};
  const body = list.map(row => {
    const spread = row.spread === null || row.samples < 2 ? '' : `${row.spread_reached ? '' : '~'}±${percent(row.spread)}`;
    const numbers = [(row.rows_share < 1 ? '~' : '') + digits(row.ms, 4), spread, digits(row.gflops, 4), times(row.speedup_before),
      times(row.speedup_naive), percent(row.roofline_share), row.error_over_bound === null ? '' : row.error_over_bound.toPrecision(2)];
    const verdict = row.error_over_bound === null && row.status === 'ok' ? '' : row.status.replace('_', ' ');
    const words = [row.adds, row.note, row.copies_ms ? `${digits(row.copies_ms)} ms of it are copies of operands` : '', row.reason];
    const rung = make('td', {className: 'rung', title: row.kernel}, make('b', {}, label(row)), ...words.filter(Boolean).map(line => make('span', {}, line)));
    return make('tr', {}, rung, ...numbers.map(number => make('td', {}, number)), make('td', {className: `text ${verdictClass[row.status] || 'bad'}`}, verdict));
  });
  return make('div', {className: 'scroll'}, make('table', {}, make('thead', {}, head), make('tbody', {}, ...body)));
}

const size = `${problem.m} × ${problem.n} × ${problem.k}`;
document.getElementById('title').textContent = `${size} on ${conditions.adapter}`;
document.getElementById('subtitle').textContent =
  `wgemm ${report.wgemm}, ${conditions.library} on ${conditions.backend}, ${conditions.date.slice(0, 10)}`;

if (best) {
  figure(rate(best.gflops), `best f32 rung: ${label(best)}`);
  if (best.speedup_naive !== null) figure(times(best.speedup_naive), 'faster than naive');
  figure(percent(best.roofline_share), 'of the roofline');
}
const bestHalf = bestOf(half);
if (bestHalf) figure(rate(bestHalf.gflops), `f16 inputs: ${label(bestHalf)}`);
if (rows.length > 0) {
  const wrong = rows.filter(row => row.status !== 'ok' && row.status !== 'unsupported').length;
  const right = rows.filter(row => row.status === 'ok').length;
  figure(wrong === 0 ? 'all right' : `${wrong} not right`, `${right} rows checked against float64`);
}

if (single.length > 0) {
  const has = variant => single.some(row => variants(row).includes(variant));
  section('How fast each rung is', 'f32 matrices; longer is better. Grey bars are this machine’s CPU, green is the best rung.'
    + (has('zero-padded') ? ' Pale bars multiply operands that were padded with zeros to whole tiles, copies included.' : '')
    + (has('unchecked') ? ' Purple bars run without the bounds checks of the WebGPU library.' : ''), rateBars(single));
}
if (half.length > 0) section('On f16 inputs', 'Matrix units multiply inputs rounded to f16 and add in f32: less exact inputs, so not to be compared with the bars above.', rateBars(half));
if (timed.some(row => row.intensity > 0)) {
  section('The roofline', 'How many operations a kernel does for each byte it asks memory for, and how fast it is. Under the slope memory is the limit, under the flat part arithmetic is; caches can lift a rung above the slope. The dashed line is the best that this product allows.'
    + (half.length > 0 ? ' Diamonds are f16 rows, which this f32 ceiling does not bind.' : ''), rooflineChart());
}
for (const group of new Set(report.sweep.map(row => row.group))) {
  section(`Sweep: ${group}`, 'One configuration a bar, the fastest in green.', sweepBars(report.sweep.filter(row => row.group === group)));
}
const started = timed.filter(row => row.start);
if (started.length > 0) section('What the start cost', 'Once for each kernel, apart from all times above. Most drivers compile in the first dispatch, which includes one run.', costBars(started));
if (rows.length > 0) section('Every row', 'Times are medians; a ~ marks a spread above the target, or a time scaled up from part of the rows.', resultTable(report.rungs));
section('Conditions', 'What these figures were measured under.', conditionList());
draw();
