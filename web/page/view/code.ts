// A program's text with the lines that matter marked, and what there is to say of them.
import type { Context } from '../state.ts';
import { h } from './dom.ts';
import { tokens } from './highlight.ts';

export interface Code {
  language: string;
  text: string;
  note: string;
  marks: Readonly<Record<string, RegExp>>;
  notes: Readonly<Record<string, string>>;
  /** Number of the line with which the part begins that is this kernel's own. */
  begin: number;
}

/** Whatever the page's language, and no browser may translate it. */
const ENGLISH = { lang: 'en', translate: 'no' };

export function codeView(code: Code, { texts }: Context): HTMLElement {
  const words = texts.learn;
  const lines = code.text.replace(/\n+$/, '').split('\n');
  const names = Object.keys(code.marks);
  const first = new Map<number, HTMLElement>(); // the first line of each mark
  const drawn = lines.map((line) => {
    const mark = names.findIndex((name) => code.marks[name]!.test(line));
    const element = h(
      'span',
      { class: mark < 0 ? 'line' : 'line marked', 'data-mark': mark < 0 ? undefined : mark + 1 },
      ...tokens(line).map(([kind, text]) => (kind === 'plain' ? text : h('span', { class: kind }, text))),
      '\n',
    );
    if (mark >= 0 && !first.has(mark)) {
      first.set(mark, element);
      element.classList.add('first');
    }
    return element;
  });
  const own = h(
    'pre',
    { tabindex: 0, 'aria-label': words.code(code.language) },
    h('code', ENGLISH, ...drawn.slice(code.begin)),
  );
  const rest =
    code.begin === 0
      ? null
      : h(
          'details',
          { class: 'rest' },
          h('summary', {}, words.rest(code.begin)),
          h(
            'pre',
            { tabindex: 0, 'aria-label': words.rest(code.begin) },
            h('code', ENGLISH, ...drawn.slice(0, code.begin)),
          ),
        );
  const copy = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(code.text);
        } catch {
          getSelection()?.selectAllChildren(own); // without leave to use the clipboard, it can be copied by hand
          return;
        }
        copy.textContent = words.copied;
        setTimeout(() => (copy.textContent = words.copy), 2000);
      },
    },
    words.copy,
  );
  const show = (mark: number): void => {
    const line = first.get(mark);
    if (!line) return;
    if (rest?.contains(line)) rest.open = true;
    const box = line.closest('pre')!;
    box.scrollTop = line.offsetTop - box.offsetTop - 40;
    box.focus({ preventScroll: true });
  };
  return h(
    'div',
    { class: 'program' },
    h('div', { class: 'head' }, h('h4', {}, words.code(code.language)), copy),
    h('p', { class: 'quiet-text' }, code.note),
    h(
      'ol',
      { class: 'marks', 'aria-label': words.marked },
      ...names.map((name, mark) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', class: 'mark', disabled: !first.has(mark), onclick: () => show(mark) },
            h('span', { class: 'badge', 'aria-hidden': 'true' }, String(mark + 1)),
            code.notes[name]!,
          ),
        ),
      ),
    ),
    rest,
    own,
  );
}
