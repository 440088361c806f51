// The answer: which GPU, how fast at best, and the button that finds out.
import { best, measured } from '../bench/result.ts';
import { bindable, REPEATS, SIZES } from '../bench/settings.ts';
import type { Context } from '../state.ts';
import { h, say } from './dom.ts';
import { art } from './art.ts';
import { rowName } from './format.ts';
import { status } from './status.ts';

export function hero(context: Context): HTMLElement {
  const { store, texts, formats, signal } = context;
  const name = h('h1', { id: 'gpu' });
  const number = h('span', { class: 'reached' });
  const answer = h('p', { class: 'answer', hidden: true }, number, h('span', { class: 'unit' }, 'GFLOP/s'));
  const sentence = h('p', { class: 'sentence' });
  const software = h('p', { class: 'notice' }, texts.hero.software);

  store.watch(() => {
    const { session, opening, run } = store.state;
    say(name, session ? session.summary.name || texts.hero.unnamed : opening ? texts.hero.looking : texts.hero.noGpu);
    software.hidden = !session?.summary.software;
    const top = run && best(run);
    answer.hidden = !top;
    if (run && top) {
      const loop = run.rows.find((row) => row.id === 'cpu-js' && measured(row));
      say(number, formats.gflops(top.gflops));
      say(sentence, texts.hero.best(rowName(top, texts), top.n, loop ? formats.ratio(top.gflops / loop.gflops) : ''));
    } else {
      say(sentence, texts.hero.ask);
    }
  }, signal);

  return h('section', { id: 'measure', class: 'hero', 'aria-labelledby': 'gpu' },
    h('p', { class: 'eyebrow' }, texts.hero.yourGpu), name, answer, sentence, software, controls(context), status(context), art(context));
}

function controls({ store, texts, signal, actions }: Context): HTMLElement {
  const sizes = SIZES.map((n) => {
    const input = h('input', {
      type: 'radio', name: 'size', value: n, id: `size-${n}`,
      onchange: () => store.set({ settings: { ...store.state.settings, n } }),
    });
    return { n, input, label: h('label', { for: `size-${n}` }, String(n)) };
  });
  const repeats = h('select', {
    id: 'repeats', onchange: () => store.set({ settings: { ...store.state.settings, repeats: Number(repeats.value) } }),
  }, ...REPEATS.map((count) => h('option', { value: count, selected: count === store.state.settings.repeats }, String(count))));
  const button = h('button', {
    id: 'start', class: 'start', type: 'button', onclick: () => (store.state.running ? actions.stop() : actions.start()),
  });

  store.watch(() => {
    const { session, settings, running, opening, run } = store.state;
    const fits = bindable(session?.device.limits);
    for (const { n, input, label } of sizes) {
      input.checked = n === settings.n;
      input.disabled = running || !fits(n);
      label.title = fits(n) ? '' : texts.hero.tooLarge;
      label.classList.toggle('unfit', !fits(n));
    }
    repeats.disabled = running;
    button.disabled = opening;
    button.classList.toggle('running', running);
    say(button, running ? texts.hero.stop : run ? texts.hero.again : texts.hero.start);
  }, signal);

  return h('form', { class: 'controls', onsubmit: (event: Event) => event.preventDefault() },
    h('fieldset', { class: 'sizes' }, h('legend', {}, texts.hero.size),
      h('div', { class: 'chips' }, ...sizes.flatMap(({ input, label }) => [input, label]))),
    h('div', { class: 'field' }, h('label', { for: 'repeats' }, texts.hero.repeats), repeats),
    button);
}
