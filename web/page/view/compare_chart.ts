// GFLOP/s of several runs, a colour each.
import { measured, type Run } from '../bench/result.ts';
import type { Context } from '../state.ts';
import { applyColours, Chart, decades, fitting, paper } from './chart.ts';
import { runName } from './compare.ts';
import { h } from './dom.ts';
import { rowName } from './format.ts';
import { colour, onColours } from './theme.ts';

export const SERIES = 6; // colours

export function compareChart(context: Context): { figure: HTMLElement; canvas: HTMLCanvasElement } {
  const { store, texts, formats, signal } = context;
  const canvas = h('canvas', { id: 'compare-chart', role: 'img', 'aria-label': texts.compare.chart });
  const frame = h('div', { class: 'chart' }, canvas);
  let chart: Chart<'bar', (number | null)[], string> | undefined;
  let drawn: readonly Run[] | undefined;

  const draw = (): void => {
    const runs = store.state.compared;
    chart?.destroy();
    chart = undefined;
    frame.hidden = runs.length === 0;
    if (runs.length === 0) return;
    applyColours();
    const ids = [...new Set(runs.flatMap((run) => run.rows.filter(measured).map((row) => row.id)))];
    frame.style.height = `${ids.length * (14 + 12 * runs.length) + 90}px`;
    chart = new Chart(canvas, {
      type: 'bar',
      data: {
        labels: ids.map((id) => rowName({ id }, texts)),
        datasets: runs.map((run, i) => ({
          label: runName(run, context),
          data: ids.map((id) => run.rows.find((row) => row.id === id && measured(row))?.gflops ?? null),
          backgroundColor: colour(`series-${i % SERIES}`),
          borderRadius: 3,
          barThickness: 9,
        })),
      },
      options: {
        indexAxis: 'y',
        responsive: true,
        maintainAspectRatio: false,
        animation: false,
        layout: { padding: 10 },
        scales: {
          x: decades(
            runs.flatMap((run) => run.rows.filter(measured).map((row) => row.gflops)),
            `${texts.ladder.axis} · ${texts.ladder.logarithmic}`,
          ),
          y: { grid: { display: false }, border: { display: false }, ticks: { autoSkip: false } },
        },
        plugins: {
          legend: {
            align: 'start',
            labels: {
              boxWidth: 12,
              boxHeight: 12,
              generateLabels: (drawn) =>
                Chart.defaults.plugins.legend.labels
                  .generateLabels(drawn)
                  .map((item) => ({ ...item, text: fitting(item.text, drawn.width - 50, drawn.ctx) })),
            },
          },
          tooltip: {
            callbacks: { label: (item) => `${item.dataset.label}: ${formats.gflops(Number(item.raw))} GFLOP/s` },
          },
        },
      },
      plugins: [paper as never],
    });
  };
  store.watch(() => {
    if (drawn === store.state.compared) return;
    drawn = store.state.compared;
    draw();
  }, signal);
  onColours(draw, signal);
  signal.addEventListener('abort', () => chart?.destroy(), { once: true });
  return { figure: h('div', { class: 'figure' }, frame), canvas };
}
