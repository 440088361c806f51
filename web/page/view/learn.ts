// The lessons: what each step does, in words, as a picture, and as the text that runs.
import type { Session } from '../bench/device.ts';
import loopText from 'text:../bench/cpu_loop.js';
import simdText from 'text:../bench/cpu_simd.wat';
import { type LessonId, lessonIds, lessons } from '../lessons.ts';
import { pictures } from '../pictures/index.ts';
import type { Context } from '../state.ts';
import { type Code, codeView } from './code.ts';
import { h, paragraphs } from './dom.ts';
import { rowName } from './format.ts';
import { pictureView } from './picture.ts';
import { kernelText } from './kernel_text.ts';

export function learn(context: Context): HTMLElement {
  const { store, texts, signal, actions } = context;
  const buttons = lessonIds.map((id) => h('button', {
    type: 'button', 'data-lesson': id, onclick: () => actions.showLesson(id),
  }, h('span', { class: 'what' }, texts.lessons[id].title), h('span', { class: 'which' }, rowName({ id }, texts))));
  const panel = h('article', { id: 'lesson', 'aria-live': 'off' });
  let shown = '';
  let panelLife: AbortController | undefined;

  store.watch(() => {
    const { lesson, session, settings } = store.state;
    const key = `${lesson} ${settings.n} ${session ? 'planned' : ''}`;
    if (key === shown) return;
    shown = key;
    for (const button of buttons) {
      if (button.dataset.lesson === lesson) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    panelLife?.abort();
    panelLife = new AbortController();
    panel.replaceChildren(...content(lesson, session, { ...context, signal: panelLife.signal }));
  }, signal);
  signal.addEventListener('abort', () => panelLife?.abort(), { once: true });

  return h('section', { id: 'learn', class: 'card', 'aria-labelledby': 'learn-heading' },
    h('h2', { id: 'learn-heading' }, texts.learn.heading), h('p', { class: 'lead' }, texts.learn.lead),
    h('div', { class: 'lessons' }, h('nav', { 'aria-label': texts.learn.list }, ...buttons), panel));
}

function content(id: LessonId, session: Session | undefined, context: Context): HTMLElement[] {
  const { texts } = context;
  const text = texts.lessons[id];
  const box = h('div', { class: 'code-box' });
  const rows = lessons[id].rows as readonly string[];
  const show = (row: string): void => {
    const code = codeOf(id, row, session, context);
    box.replaceChildren(code ? codeView(code, context) : h('p', { class: 'empty' }, texts.learn.noCode));
    for (const each of variants) each.setAttribute('aria-pressed', String(each.textContent === row));
  };
  const variants = rows.length < 2 ? [] : rows.map((row) =>
    h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => show(row) }, row));
  show(rows[1] ?? rows[0]!);
  return [
    h('h3', {}, text.title),
    h('div', { class: 'idea' }, ...paragraphs(text.idea)),
    h('h4', { class: 'heard' }, texts.learn.picture),
    pictureView(pictures[id], text.picture, context),
    ...(variants.length > 0 ? [h('div', { class: 'segmented', role: 'group', 'aria-label': texts.learn.list }, ...variants)] : []),
    box,
  ];
}

function codeOf(id: LessonId, row: string, session: Session | undefined, context: Context): Code | undefined {
  const { texts, store } = context;
  const common = { marks: lessons[id].marks, notes: texts.lessons[id].marks as Readonly<Record<string, string>> };
  if (id === 'cpu-js') return { ...common, language: 'JavaScript', text: loopText, note: '', begin: 0 };
  if (id === 'cpu-wasm') return { ...common, language: 'WebAssembly', text: simdText, note: '', begin: 0 };
  const kernel = session && kernelText(session, row, store.state.settings.n);
  if (!kernel) return undefined;
  return {
    ...common, language: 'WGSL', text: kernel.wgsl, begin: kernel.begin,
    note: kernel.elsewhere ? texts.learn.elsewhere : texts.learn.codeNote,
  };
}
