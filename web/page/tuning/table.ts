// The trials of one search, sorted by any column.
import type { Trial } from '../../src/index.ts';
import type { Context } from '../state.ts';
import { h } from '../view/dom.ts';
import type { Search } from './database.ts';
import type { TuningTexts } from './text.ts';
import type { Tuner } from './tuner.ts';

type Column = keyof TuningTexts['columns'];

interface Sorting {
  by: Column;
  down: boolean;
}

const columns: Record<Column, (trial: Trial) => number | string> = {
  kernel: (trial) => trial.kernel,
  split: (trial) => trial.split_k,
  ms: (trial) => trial.seconds || Infinity,
  gflops: (trial) => -trial.seconds || -Infinity,
  status: (trial) => trial.status,
};

export function gflopsOf({ shape: { m, n, k } }: Search, { seconds }: Trial): number {
  return (2 * m * n * k) / seconds / 1e9;
}

export function trialTable(tuner: Tuner, texts: TuningTexts, { formats, signal }: Context): HTMLElement {
  const sorting: Sorting = { by: 'ms', down: false };
  const body = h('tbody');
  const heads = (Object.keys(columns) as Column[]).map((column) => {
    const press = (): void => {
      sorting.down = sorting.by === column && !sorting.down;
      sorting.by = column;
      fill();
    };
    const button = h(
      'button',
      { type: 'button', class: 'sort', 'data-column': column, onclick: press },
      texts.columns[column],
    );
    return [column, h('th', { scope: 'col' }, button)] as const;
  });
  const box = h(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': texts.table },
    h(
      'table',
      { id: 'trials' },
      h('caption', { class: 'heard' }, texts.table),
      h('thead', {}, h('tr', {}, ...heads.map(([, head]) => head))),
      body,
    ),
  );

  const line = (search: Search, trial: Trial): HTMLElement => {
    const ok = trial.status === 'ok';
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h('code', {}, trial.kernel),
        trial.heuristic ? h('span', { class: 'own' }, texts.planned) : null,
      ),
      h('td', {}, String(trial.split_k)),
      h('td', {}, ok ? `${trial.clock === 'wall' ? '≈ ' : ''}${formats.milliseconds(trial.seconds * 1e3)}` : ''),
      h('td', { class: 'strong' }, ok ? formats.gflops(gflopsOf(search, trial)) : ''),
      h('td', { class: ok ? 'right' : 'wrong', title: trial.reason }, texts.statuses[trial.status]),
    );
  };
  const fill = (): void => {
    for (const [column, head] of heads) {
      if (column === sorting.by) head.setAttribute('aria-sort', sorting.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
    const { search } = tuner;
    box.hidden = !search || search.trials.length === 0;
    body.replaceChildren(...(search ? sorted(search.trials, sorting).map((trial) => line(search, trial)) : []));
  };
  tuner.watch(fill, signal);
  return box;
}

function sorted(trials: readonly Trial[], { by, down }: Sorting): Trial[] {
  const value = columns[by];
  const sign = down ? -1 : 1;
  const compare = (x: number | string, y: number | string): number => (x < y ? -1 : x > y ? 1 : 0);
  return [...trials].sort((x, y) => sign * compare(value(x), value(y)));
}
