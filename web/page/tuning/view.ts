// The tuning tab: what to search for, how far it is, what was found, and the ways in and out.
import type { Context } from '../state.ts';
import { save } from '../share/files.ts';
import { h, say } from '../view/dom.ts';
import { type ElementType, LAYOUTS, type Layout, nameOf, parseShapes } from './shapes.ts';
import { gflopsOf, trialTable } from './table.ts';
import { tuningTexts, type TuningTexts } from './text.ts';
import { Tuner } from './tuner.ts';

const tuner = new Tuner();

/** What stands in the form, which is made anew with the language. */
const written = { shapes: '1024x1024x1024', type: 'f32', layout: 'rr', budget: '30' };

/** Seconds. */
const BUDGETS = [5, 30, 120, 600];

export function tuning(context: Context): HTMLElement {
  const { store, signal } = context;
  const texts = tuningTexts[store.state.language];
  store.watch(() => {
    void tuner.attach(store.state.session);
    if (store.state.running) tuner.stop(); // two that measure at once disturb each other
  }, signal);
  return h(
    'section',
    { id: 'tuning', class: 'card', 'aria-labelledby': 'tuning-heading' },
    h('h2', { id: 'tuning-heading' }, texts.heading),
    h('p', { class: 'lead' }, texts.lead),
    softwareNote(context, texts),
    form(context, texts),
    progress(context, texts),
    ...results(context, texts),
    trialTable(tuner, texts, context),
    ...choices(context, texts),
  );
}

/** What figures of a software adapter are worth. */
function softwareNote({ signal }: Context, texts: TuningTexts): HTMLElement {
  const note = h('p', { id: 'tune-software', class: 'notice', hidden: true }, texts.software);
  tuner.watch(() => {
    note.hidden = tuner.session?.gemm.profile.type !== 'software';
  }, signal);
  return note;
}

function select(
  id: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
): { box: HTMLSelectElement; field: HTMLElement } {
  const box = h(
    'select',
    { id },
    ...options.map(([value, name]) => h('option', { value, selected: value === chosen }, name)),
  );
  return { box, field: h('div', { class: 'field' }, h('label', { for: id }, label), box) };
}

function form({ store, formats, signal }: Context, texts: TuningTexts): HTMLElement {
  const shapes = h('input', {
    id: 'tune-shapes',
    type: 'text',
    value: written.shapes,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'tune-hint',
  });
  const type = select(
    'tune-type',
    texts.type,
    [
      ['f32', 'f32'],
      ['f16', 'f16'],
    ],
    written.type,
  );
  const layout = select(
    'tune-layout',
    texts.layout,
    LAYOUTS.map((each) => [each, texts.layouts[each]]),
    written.layout,
  );
  const budget = select(
    'tune-budget',
    texts.budget,
    BUDGETS.map((each) => [String(each), texts.seconds(formats.plain(each))]),
    written.budget,
  );
  const button = h('button', { type: 'submit', id: 'tune-start', class: 'start' });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (tuner.running) return tuner.stop();
    const wanted = parseShapes(shapes.value, type.box.value as ElementType, layout.box.value as Layout);
    if (!wanted) return tuner.tell({ kind: 'shapes' });
    void tuner.start(wanted, Number(budget.box.value) * 1000);
  };
  const update = (): void => {
    const f16 = type.box.options[1];
    if (f16) f16.hidden = f16.disabled = tuner.session?.gemm.profile.shader_f16 !== true;
    say(button, tuner.running ? texts.stop : texts.start);
    button.classList.toggle('running', tuner.running);
    button.disabled = !tuner.known || (store.state.running && !tuner.running);
  };
  tuner.watch(update, signal);
  store.watch(update, signal);
  const remember = (): void => {
    Object.assign(written, {
      shapes: shapes.value,
      type: type.box.value,
      layout: layout.box.value,
      budget: budget.box.value,
    });
  };
  return h(
    'form',
    { class: 'controls', onsubmit: submit, oninput: remember },
    h(
      'div',
      { class: 'field wide' },
      h('label', { for: 'tune-shapes' }, texts.shapes),
      shapes,
      h('p', { id: 'tune-hint', class: 'quiet-text' }, texts.shapesHint),
    ),
    type.field,
    layout.field,
    budget.field,
    button,
  );
}

function progress({ formats, signal }: Context, texts: TuningTexts): HTMLElement {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': texts.progress });
  const doing = h('p', { class: 'doing' });
  const told = h('p', { id: 'tune-told', role: 'status' });
  tuner.watch(() => {
    const { running, event, search } = tuner;
    bar.hidden = doing.hidden = !running;
    bar.value = tuner.progress;
    say(doing, running && search ? texts.trials(nameOf(search.shape), formats.plain(search.trials.length)) : '');
    say(
      told,
      running || !event
        ? ''
        : event.kind === 'failed'
          ? texts.failed(event.message)
          : event.kind === 'file'
            ? texts.badFile(event.message)
            : texts.events[event.kind],
    );
    told.hidden = told.textContent === '';
    told.className = event && 'message' in event ? 'notice trouble' : 'ended';
  }, signal);
  return h('div', { class: 'status' }, bar, doing, told);
}

function results({ formats, signal }: Context, texts: TuningTexts): HTMLElement[] {
  const shown = h('select', {
    id: 'tune-shown',
    onchange: () => {
      tuner.shown = shown.value;
      tuner.tell();
    },
  });
  const field = h('div', { class: 'field' }, h('label', { for: 'tune-shown' }, texts.shown), shown);
  const summary = h('p', { id: 'tune-best' });
  const empty = h('p', { class: 'empty' }, texts.empty);
  tuner.watch(() => {
    const names = Object.keys(tuner.known?.searches ?? {});
    if (names.join() !== [...shown.options].map((option) => option.value).join())
      shown.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
    shown.value = tuner.shown;
    empty.hidden = names.length > 0 || tuner.running;
    field.hidden = summary.hidden = names.length === 0;
    say(summary, sentences());
  }, signal);

  function sentences(): string {
    const { search } = tuner;
    if (!search) return '';
    if (search.trials.length === 0 && !tuner.running) return texts.tooShort;
    const right = search.trials.filter((trial) => trial.status === 'ok');
    const [best] = right.toSorted((x, y) => x.seconds - y.seconds);
    if (!best) return texts.noBest;
    const own = right.find((trial) => trial.heuristic);
    return [
      texts.best(
        best.split_k > 1 ? `${best.kernel} × ${best.split_k}` : best.kernel,
        formats.milliseconds(best.seconds * 1e3),
        formats.gflops(gflopsOf(search, best)),
      ),
      own === best
        ? texts.ownIsBest
        : own
          ? texts.own(formats.milliseconds(own.seconds * 1e3), formats.ratio(own.seconds / best.seconds))
          : '',
      tuner.running ? '' : search.complete ? texts.complete : texts.incomplete,
    ]
      .filter(Boolean)
      .join(texts.gap);
  }
  return [empty, field, summary];
}

function choices({ formats, signal }: Context, texts: TuningTexts): HTMLElement[] {
  const use = h('input', {
    id: 'tune-use',
    type: 'checkbox',
    'aria-describedby': 'tune-use-hint',
    onchange: () => void tuner.use(use.checked),
  });
  const file = h('input', {
    type: 'file',
    id: 'tune-files',
    accept: '.json,application/json',
    class: 'heard',
    tabindex: -1,
    'aria-label': texts.open,
    onchange: async () => {
      for (const each of file.files ?? []) await tuner.take(each.name, await each.text());
      file.value = '';
    },
  });
  const out = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      id: 'tune-save',
      onclick: () =>
        save('wgemm-tuning.json', new Blob([`${JSON.stringify(tuner.data, null, 2)}\n`], { type: 'application/json' })),
    },
    texts.save,
  );
  const into = h(
    'button',
    { type: 'button', class: 'quiet', id: 'tune-open', onclick: () => file.click() },
    texts.open,
  );
  const count = h('p', { id: 'tune-entries', class: 'quiet-text' });
  tuner.watch(() => {
    const { known, data } = tuner;
    out.disabled = use.disabled = !data;
    into.disabled = !known;
    use.checked = known?.used === true;
    say(count, texts.entries(formats.plain(data?.entries.length ?? 0)));
  }, signal);
  return [
    h(
      'div',
      { class: 'use' },
      use,
      h('label', { for: 'tune-use' }, texts.use),
      h('p', { id: 'tune-use-hint', class: 'quiet-text' }, texts.useHint),
    ),
    h('div', { class: 'buttons' }, out, into, file),
    count,
  ];
}
