// The ladder: bars that grow while it is climbed, and the table with every figure.
import { measured, median, onCpu, type Row, type Run } from '../bench/result.ts';
import { rowIds } from '../bench/ladder.ts';
import { lessonOf } from '../lessons.ts';
import type { Context } from '../state.ts';
import type { Texts } from '../text/types.ts';
import { ladderChart } from './ladder_chart.ts';
import { h, paragraphs, say } from './dom.ts';
import { rowName } from './format.ts';

export function ladder(context: Context): HTMLElement {
  const { texts } = context;
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'ladder-heading' },
    h('h2', { id: 'ladder-heading' }, texts.ladder.heading),
    h('p', { class: 'lead' }, texts.ladder.lead),
    ladderChart(context),
    table(context),
    ...notes(context),
    h('details', {}, h('summary', {}, texts.ladder.clocks), ...paragraphs(texts.ladder.clocksText)),
    h('details', {}, h('summary', {}, texts.ladder.checks), ...paragraphs(texts.ladder.checksText)),
  );
}

function table(context: Context): HTMLElement {
  const { store, texts, signal } = context;
  const { columns } = texts.ladder;
  const body = h('tbody');
  const box = h(
    'div',
    { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': texts.ladder.table },
    h(
      'table',
      { id: 'results' },
      h('caption', { class: 'heard' }, texts.ladder.table),
      h(
        'thead',
        {},
        h('tr', {}, ...Object.entries(columns).map(([id, name]) => h('th', { scope: 'col', class: id }, name))),
      ),
      body,
    ),
  );
  let shown: Run | undefined;
  let lines: HTMLElement[] = [];
  let waiting: HTMLElement[] = [];
  store.watch(() => {
    const { run, running, current, session } = store.state;
    const rows = run?.rows ?? [];
    const loop = rows.find((row) => row.id === 'cpu-js' && measured(row));
    if (shown !== run) {
      for (const element of lines) element.remove();
      [shown, lines] = [run, []];
    }
    for (const element of waiting) element.remove();
    // What is there stays in its place, for somebody may be reading or tabbing through it.
    for (const row of rows.slice(lines.length)) lines.push(body.appendChild(line(row, loop, context)));
    waiting = (running ? rowIds(session) : [])
      .slice(rows.length)
      .map((id) =>
        body.appendChild(
          h(
            'tr',
            { class: id === current?.id ? 'current' : 'waiting' },
            h('th', { scope: 'row' }, rowName({ id }, texts)),
            ...Array.from({ length: 7 }, () => h('td')),
          ),
        ),
      );
    box.hidden = rows.length === 0 && !running;
  }, signal);
  return box;
}

/** Why sizes differ, and what the journey to the GPU and back takes here, in numbers. */
function notes({ store, texts, formats, signal }: Context): HTMLElement[] {
  const sizes = h('p', { class: 'quiet-text', id: 'smaller-sizes' }, texts.ladder.smaller);
  const difference = h('p', { class: 'quiet-text' });
  store.watch(() => {
    const { run } = store.state;
    sizes.hidden = !run?.rows.some((row) => measured(row) && row.n < run.n);
    const journeys = journeysOf(run);
    const journey = journeys.length > 0 ? median(journeys) : 0;
    say(difference, journey > 0 ? texts.ladder.difference(formats.milliseconds(journey)) : '');
  }, signal);
  return [sizes, difference];
}

/** Of rows that have two times: without timestamps a long product has one, taken twice. */
function journeysOf(run: Run | undefined): number[] {
  return (run?.rows ?? []).flatMap(({ wallMs, kernelMs }) =>
    wallMs !== null && kernelMs !== null && wallMs !== kernelMs ? [wallMs - kernelMs] : [],
  );
}

/** In the page's language where the core names a feature; what drivers and limits say is English. */
function reasonOf({ reason }: Row, texts: Texts): HTMLElement {
  const feature = / needs the feature ([\w-]+)/.exec(reason)?.[1];
  return feature ? h('span', { title: reason }, texts.ladder.lacks(feature)) : h('span', { lang: 'en' }, reason);
}

function line(row: Row, loop: Row | undefined, { store, texts, formats, actions }: Context): HTMLElement {
  const lesson = lessonOf(row.id);
  const name = rowName(row, texts);
  const head = h(
    'th',
    { scope: 'row' },
    lesson
      ? h('a', { href: '#learn', title: texts.ladder.learn(name), onclick: () => actions.showLesson(lesson) }, name)
      : name,
    row.kernel && row.kernel !== row.id ? h('span', { class: 'kernel' }, row.kernel) : null,
  );
  if (!measured(row)) {
    return h(
      'tr',
      { class: 'unavailable', 'data-row': row.id },
      head,
      h('td', { colspan: 7 }, h('b', {}, texts.ladder.unavailable), ' ', reasonOf(row, texts)),
    );
  }
  const smaller = row.n !== store.state.run?.n;
  const cell = (text: string, more: Record<string, string> = {}): HTMLElement => h('td', more, text);
  return h(
    'tr',
    { 'data-row': row.id },
    head,
    cell(String(row.n), smaller ? { class: 'smaller' } : {}),
    cell(formats.gflops(row.gflops), { class: 'strong' }),
    cell(
      row.kernelMs === null
        ? ''
        : `${row.clock === 'page' && !onCpu(row) ? '≈ ' : ''}${formats.milliseconds(row.kernelMs)}`,
    ),
    cell(row.wallMs === null ? '' : formats.milliseconds(row.wallMs)),
    cell(row.compileMs === null ? '' : formats.milliseconds(row.compileMs)),
    cell(loop ? formats.ratio(row.gflops / loop.gflops) : ''),
    h(
      'td',
      {
        class: row.verified ? 'right' : 'wrong',
        title: row.verified ? texts.ladder.verified(formats.ratio(row.error ?? 0)) : '',
      },
      h('span', { 'aria-hidden': 'true' }, row.verified ? '✓' : '✗'),
      h(
        'span',
        { class: row.verified ? 'heard' : '' },
        row.verified ? texts.ladder.verified(formats.ratio(row.error ?? 0)) : ` ${texts.ladder.wrong}`,
      ),
    ),
  );
}
