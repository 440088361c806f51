// Files to save: a run as JSON, runs as CSV, a chart as PNG.
import type { Row, Run } from '../bench/result.ts';

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function jsonOf(run: Run): Blob {
  return new Blob([`${JSON.stringify(run, null, 2)}\n`], { type: 'application/json' });
}

const columns: readonly (keyof Row)[] = [
  'id', 'kernel', 'operands', 'n', 'gflops', 'kernelMs', 'clock', 'wallMs', 'compileMs', 'intensity', 'error', 'verified', 'reason',
];

/** A quoted field, and none that a spreadsheet would take for a formula. */
function field(value: unknown): string {
  const text = value === null ? '' : String(value);
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf(runs: readonly Run[]): Blob {
  const lines = [['date', 'device', 'browser', ...columns].join(',')];
  for (const run of runs) {
    for (const row of run.rows) {
      lines.push([run.date, run.device?.name ?? '', run.browser, ...columns.map((column) => row[column])].map(field).join(','));
    }
  }
  return new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the chart is empty'))), 'image/png');
  });
}
