// What all charts share: the parts of Chart.js that are used, colours, and figures at the ends of bars.
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartType,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  type Plugin,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js';
import { reducedMotion } from './dom.ts';
import { colour } from './theme.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
);

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    ends?: { text: (dataset: number, index: number) => string; type?: TType };
  }
}

/** Writes at the end of each bar. */
export const ends: Plugin<'bar'> = {
  id: 'ends',
  afterDatasetsDraw(chart, _, options: { text?: (dataset: number, index: number) => string }) {
    const { ctx } = chart;
    ctx.save();
    ctx.font = `600 12px ${colour('font')}`;
    ctx.textBaseline = 'middle';
    ctx.fillStyle = colour('ink');
    chart.data.datasets.forEach((_, dataset) => {
      chart.getDatasetMeta(dataset).data.forEach((bar, index) => {
        const text = options.text?.(dataset, index);
        if (text) ctx.fillText(text, bar.x + 8, bar.y);
      });
    });
    ctx.restore();
  },
};

/** The page's background behind the drawing, so that a saved picture is readable anywhere. */
export const paper: Plugin = {
  id: 'paper',
  beforeDraw({ ctx, width, height }) {
    ctx.save();
    ctx.fillStyle = colour('surface');
    ctx.fillRect(0, 0, width, height);
    ctx.restore();
  },
};

export function applyColours(): void {
  Chart.defaults.font.family = colour('font');
  Chart.defaults.font.size = 12.5;
  Chart.defaults.color = colour('muted');
  Chart.defaults.borderColor = colour('line');
  Chart.defaults.animation = reducedMotion() ? false : { duration: 350 };
}

/** The text, or as much of it as fits the width; a legend breaks no lines. */
export function fitting(text: string, width: number, ctx: CanvasRenderingContext2D): string {
  ctx.save();
  ctx.font = `${Chart.defaults.font.size}px ${colour('font')}`;
  const wide = (shown: string): boolean => ctx.measureText(shown).width > width;
  let shown = text;
  for (let length = text.length - 1; wide(shown) && length > 0; length--) shown = `${text.slice(0, length).trimEnd()}…`;
  ctx.restore();
  return shown;
}

/** A logarithmic axis around these values, with a line at each power of ten, or more where there are few. */
export function decades(values: readonly number[], title: string) {
  const [least, most] = [Math.min(...values) / 1.6, Math.max(...values) * 1.6];
  const first = Math.ceil(Math.log10(least));
  const steps = most / least > 300 ? [1] : [1, 2, 5];
  const lines = Array.from(
    { length: Math.max(0, Math.floor(Math.log10(most)) - first + 2) },
    (_, i) => 10 ** (first - 1 + i),
  )
    .flatMap((power) => steps.map((step) => ({ value: step * power })))
    .filter(({ value }) => value >= least && value <= most);
  return {
    type: 'logarithmic' as const,
    min: least,
    max: most,
    title: { display: true, text: title },
    border: { display: false },
    ticks: {
      maxRotation: 0,
      callback: (value: string | number) =>
        new Intl.NumberFormat('en', { maximumSignificantDigits: 1 }).format(Number(value)),
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = lines;
    },
  };
}

/** The colour of a row, the same everywhere. */
export function rowColour(id: string): string {
  if (id.startsWith('cpu-')) return colour('muted');
  return colour(id === 'choice' ? 'accent' : 'c');
}

export { Chart };
