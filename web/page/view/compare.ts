// Runs side by side, and the ways in and out: links and files.
import type { Run } from '../bench/result.ts';
import { csvOf, jsonOf, pngOf, save } from '../share/files.ts';
import { linkTo, runOf } from '../share/link.ts';
import { parseRun } from '../share/parse.ts';
import type { Context } from '../state.ts';
import { compareChart } from './compare_chart.ts';
import { h, say } from './dom.ts';

export function compare(context: Context): HTMLElement {
  const { texts, store, signal } = context;
  const words = texts.compare;
  const message = h('p', { class: 'message', role: 'status' });
  const { figure, canvas } = compareChart(context);
  const add = (runs: Run[]): void =>
    store.set({ compared: [...store.state.compared, ...runs.filter(isNew(store.state.compared))] });

  const file = h('input', {
    type: 'file',
    id: 'run-files',
    accept: '.json,application/json',
    multiple: true,
    class: 'heard',
    tabindex: -1,
    'aria-label': words.open,
    onchange: async () => {
      say(message, '');
      for (const each of file.files ?? []) {
        const run = parseRun(await each.text());
        if (run) add([run]);
        else say(message, words.badFile(each.name));
      }
      file.value = '';
    },
  });
  const link = h('input', { type: 'url', id: 'run-link', placeholder: 'https://…#run=…', autocomplete: 'off' });
  const form = h(
    'form',
    {
      class: 'add',
      onsubmit: async (event: Event) => {
        event.preventDefault();
        const run = await runOf(link.value);
        say(message, run ? '' : words.badLink);
        if (run) {
          add([run]);
          link.value = '';
        }
      },
    },
    h('label', { for: 'run-link' }, words.linkLabel),
    link,
    h('button', { type: 'submit', class: 'quiet' }, words.addLink),
  );

  const button = (id: string, text: string, act: () => unknown): HTMLButtonElement =>
    h('button', { type: 'button', class: 'quiet', id, onclick: act as () => void }, text);
  const latest = (): Run => store.state.compared.at(-1)!;
  const name = (run: Run): string => `wgemm-${run.date.slice(0, 10)}-${run.n}`;
  const outward = [
    button('copy-link', words.copyLink, async () => {
      const address = await linkTo(latest());
      try {
        await navigator.clipboard.writeText(address);
        say(message, words.copied);
      } catch {
        link.value = address; // without leave to use the clipboard, here it can be copied by hand
        link.select();
      }
    }),
    button('save-json', words.saveJson, () => save(`${name(latest())}.json`, jsonOf(latest()))),
    button('save-csv', words.saveCsv, () => save(`${name(latest())}.csv`, csvOf(store.state.compared))),
    button('save-png', words.savePng, async () => save(`${name(latest())}.png`, await pngOf(canvas))),
  ];
  const list = runList(context);
  const linked = h('p', { class: 'notice' }, words.fromLink);
  const empty = h('p', { class: 'empty' }, words.nothing);
  store.watch(() => {
    const none = store.state.compared.length === 0;
    empty.hidden = !none;
    list.hidden = none;
    linked.hidden = none || !store.state.fromLink;
    for (const each of outward) each.disabled = none;
  }, signal);

  return h(
    'section',
    { id: 'compare', class: 'card', 'aria-labelledby': 'compare-heading' },
    h('h2', { id: 'compare-heading' }, words.heading),
    h('p', { class: 'lead' }, words.lead),
    linked,
    h(
      'div',
      { class: 'buttons' },
      ...outward,
      button('open-files', words.open, () => file.click()),
      file,
    ),
    form,
    message,
    empty,
    list,
    figure,
  );
}

function isNew(known: readonly Run[]): (run: Run) => boolean {
  const same = (x: Run, y: Run): boolean => x.date === y.date && x.n === y.n && x.device?.name === y.device?.name;
  return (run) => !known.some((other) => same(run, other));
}

export function runName(run: Run, { texts, formats }: Context): string {
  return texts.compare.run(run.device ? run.device.name || texts.hero.unnamed : 'CPU', run.n, formats.date(run.date));
}

function runList(context: Context): HTMLElement {
  const { store, texts, signal } = context;
  const list = h('ul', { class: 'runs', 'aria-label': texts.compare.runs });
  let shown: readonly Run[] | undefined;
  store.watch(() => {
    if (shown === store.state.compared) return;
    shown = store.state.compared;
    list.replaceChildren(
      ...store.state.compared.map((run, i) => {
        const name = runName(run, context);
        const remove = (): void => store.set({ compared: store.state.compared.filter((other) => other !== run) });
        return h(
          'li',
          {},
          h('span', { class: `swatch series-${i % 6}`, 'aria-hidden': 'true' }),
          h('span', { class: 'name' }, name),
          run.browser ? h('span', { class: 'quiet-text' }, run.browser) : null,
          h(
            'button',
            { type: 'button', class: 'remove', 'aria-label': texts.compare.remove(name), onclick: remove },
            '×',
          ),
        );
      }),
    );
  }, signal);
  return list;
}
