// The roofline of the device, with every rung on it.
import { best, measured, onCpu, type Row, type Run } from '../bench/result.ts';
import type { Context } from '../state.ts';
import type { ChartType } from 'chart.js';
import { applyColours, Chart, decades } from './chart.ts';
import { h, paragraphs } from './dom.ts';
import { rowName } from './format.ts';
import { colour, onColours } from './theme.ts';

export function roofline(context: Context): HTMLElement {
  const { store, texts, signal } = context;
  const canvas = h('canvas', { id: 'roofline-chart', role: 'img', 'aria-label': texts.roofline.chart });
  const frame = h('div', { class: 'chart tall' }, canvas);
  const empty = h('p', { class: 'empty' }, texts.roofline.empty);
  let chart: Chart | undefined;
  let drawn: string | undefined;

  const draw = (): void => {
    const { run } = store.state;
    const top = run && best(run);
    empty.hidden = Boolean(run?.bandwidth && top);
    frame.hidden = !empty.hidden;
    chart?.destroy();
    chart = undefined;
    if (!run?.bandwidth || !top) return;
    applyColours();
    chart = roof(canvas, run, run.bandwidth, top, context);
  };
  store.watch(() => {
    const key = JSON.stringify([store.state.run?.bandwidth, store.state.run?.rows.length]);
    if (key === drawn) return;
    drawn = key;
    draw();
  }, signal);
  onColours(draw, signal);
  signal.addEventListener('abort', () => chart?.destroy(), { once: true });

  return h(
    'section',
    { id: 'roofline', class: 'card', 'aria-labelledby': 'roofline-heading' },
    h('h2', { id: 'roofline-heading' }, texts.roofline.heading),
    ...paragraphs(texts.roofline.lead),
    h('div', { class: 'figure' }, empty, frame),
  );
}

function roof(canvas: HTMLCanvasElement, run: Run, bandwidth: number, top: Row, { texts, formats }: Context): Chart {
  const rows = run.rows.filter((row) => measured(row) && row.verified && !onCpu(row) && row.intensity !== null);
  const slope = bandwidth / 1e9; // GFLOP/s for an operation a byte
  const bend = top.gflops / slope;
  const intensities = rows.map((row) => row.intensity!);
  const [left, right] = [Math.min(bend, ...intensities) / 2, Math.max(bend, ...intensities) * 3];
  const line = (tint: string) => ({
    showLine: true,
    pointRadius: 0,
    pointHitRadius: 0,
    borderWidth: 2.5,
    borderColor: colour(tint),
    backgroundColor: colour(tint),
  });
  return new Chart<ChartType, { x: number; y: number }[]>(canvas, {
    type: 'scatter',
    data: {
      datasets: [
        {
          label: texts.roofline.memory(formats.plain(slope)),
          data: [
            { x: left, y: left * slope },
            { x: bend, y: top.gflops },
          ],
          ...line('b'),
        },
        {
          label: texts.roofline.top(formats.gflops(top.gflops)),
          data: [
            { x: bend, y: top.gflops },
            { x: right, y: top.gflops },
          ],
          ...line('a'),
        },
        {
          label: '',
          data: rows.map((row) => ({ x: row.intensity!, y: row.gflops })),
          pointRadius: 5.5,
          pointHoverRadius: 8,
          borderWidth: 1.5,
          borderColor: colour('surface'),
          backgroundColor: rows.map((row) => colour(row.id === 'choice' ? 'accent' : 'c')),
        },
      ],
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      layout: { padding: { right: 12, top: 8 } },
      scales: {
        x: { ...decades([left, right], texts.roofline.intensity), min: left, max: right },
        y: decades([top.gflops, ...rows.map((row) => row.gflops)], 'GFLOP/s'),
      },
      plugins: {
        legend: { align: 'start', labels: { boxHeight: 2, filter: (item) => item.text !== '' } },
        tooltip: {
          filter: (item) => item.datasetIndex === 2,
          callbacks: {
            label: (item) =>
              `${rowName(rows[item.dataIndex]!, texts)}: ${formats.gflops(rows[item.dataIndex]!.gflops)} GFLOP/s`,
          },
        },
      },
    },
    plugins: [names(rows.map((row) => rowName(row, texts)))],
  });
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const meet = (x: Box, y: Box): boolean => x.left < y.right && y.left < x.right && x.top < y.bottom && y.top < x.bottom;

/** Writes each row's name beside its dot, where it meets no other name, no dot and not the roof. */
function names(texts: string[]) {
  return {
    id: 'names',
    afterDatasetsDraw(chart: Chart): void {
      const { ctx, chartArea } = chart;
      const [slope, top, dots] = [0, 1, 2].map((dataset) => chart.getDatasetMeta(dataset).data);
      const taken: Box[] = [
        ...dots!.map(({ x, y }) => ({ left: x - 7, right: x + 7, top: y - 7, bottom: y + 7 })),
        ...pieces(slope![0]!, slope![1]!),
        ...pieces(top![0]!, top![1]!),
      ];
      ctx.save();
      ctx.font = `11.5px ${colour('font')}`;
      ctx.textBaseline = 'middle';
      ctx.fillStyle = colour('ink');
      dots!.forEach(({ x, y }, i) => {
        const width = ctx.measureText(texts[i]!).width;
        const place = [0, -13, 13, -26, 26]
          .flatMap((shift) => [x + 10, x - 10 - width].map((left) => ({ left, middle: y + shift })))
          .map(({ left, middle }) => ({ left, right: left + width, top: middle - 6, bottom: middle + 6 }))
          .find(
            (box) =>
              box.left >= chartArea.left && box.right <= chartArea.right && !taken.some((other) => meet(box, other)),
          );
        if (place === undefined) return; // the tooltip has it
        taken.push(place);
        ctx.fillText(texts[i]!, place.left, place.top + 6);
      });
      ctx.restore();
    },
  };
}

/** Boxes along a line. */
function pieces(from: { x: number; y: number }, to: { x: number; y: number }): Box[] {
  const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 8));
  return Array.from({ length: count + 1 }, (_, i) => {
    const x = from.x + ((to.x - from.x) * i) / count;
    const y = from.y + ((to.y - from.y) * i) / count;
    return { left: x - 4, right: x + 4, top: y - 3, bottom: y + 3 };
  });
}
