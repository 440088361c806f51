// GFLOP/s of each row as bars.
import { measured, type Row } from '../bench/result.ts';
import type { Context } from '../state.ts';
import { applyColours, Chart, decades, ends, rowColour } from './chart.ts';
import { h } from './dom.ts';
import { rowName } from './format.ts';
import { onColours } from './theme.ts';

const BAR = 30;  // height of a row in the drawing

let scale: 'linear' | 'logarithmic' = 'linear';

export function ladderChart(context: Context): HTMLElement {
  const { store, texts, formats, signal } = context;
  const canvas = h('canvas', { id: 'ladder-chart', role: 'img', 'aria-label': texts.ladder.chart });
  const frame = h('div', { class: 'chart' }, canvas);
  const empty = h('p', { class: 'empty' }, texts.ladder.empty);
  const scales = h('div', { class: 'segmented', role: 'group' }, ...(['linear', 'logarithmic'] as const).map((kind) => {
    const button = h('button', { type: 'button', 'aria-pressed': String(kind === scale), 'data-scale': kind, onclick: () => {
      scale = kind;
      for (const each of scales.children) each.setAttribute('aria-pressed', String(each === button));
      draw();
    } }, texts.ladder[kind]);
    return button;
  }));
  let chart: Chart<'bar', number[], string> | undefined;
  let drawn = '';

  const draw = (): void => {
    const rows = store.state.run?.rows.filter(measured) ?? [];
    empty.hidden = rows.length > 0;
    frame.hidden = scales.hidden = rows.length === 0;
    chart?.destroy();
    chart = undefined;
    if (rows.length === 0) return;
    applyColours();
    frame.style.height = `${rows.length * BAR + 56}px`;
    chart = new Chart(canvas, {
      type: 'bar',
      data: { labels: rows.map((row) => label(row)), datasets: [dataset(rows)] },
      options: {
        indexAxis: 'y', responsive: true, maintainAspectRatio: false, animation: false,
        layout: { padding: { right: 64 } },
        scales: {
          x: scale === 'logarithmic' ? decades(rows.map((row) => row.gflops), texts.ladder.axis) : {
            beginAtZero: true, title: { display: true, text: texts.ladder.axis }, border: { display: false }, ticks: { maxRotation: 0 },
          },
          y: { grid: { display: false }, border: { display: false }, ticks: { autoSkip: false } },
        },
        plugins: {
          legend: { display: false },
          tooltip: { callbacks: { label: (item) => `${formats.gflops(Number(item.raw))} GFLOP/s` } },
          ends: { text: (_, index) => formats.gflops(rows[index]!.gflops) },
        },
      },
      plugins: [ends],
    });
  };
  const label = (row: Row): string => rowName(row, texts) + (row.n === store.state.run?.n ? '' : ` · ${row.n}`);

  store.watch(() => {
    const key = JSON.stringify(store.state.run?.rows.map((row) => [row.id, row.gflops]));
    if (key === drawn) return;
    drawn = key;
    draw();
  }, signal);
  onColours(draw, signal);
  signal.addEventListener('abort', () => chart?.destroy(), { once: true });
  return h('div', { class: 'figure' }, scales, empty, frame);
}

function dataset(rows: Row[]) {
  return {
    data: rows.map((row) => row.gflops),
    backgroundColor: rows.map((row) => rowColour(row.id)),
    borderRadius: 5, barThickness: 18,
  };
}
