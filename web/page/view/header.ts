// The line at the top: name, sections, language, theme.
import type { Context } from '../state.ts';
import { type Language, languages } from '../text/language.ts';
import { tuningTexts } from '../tuning/text.ts';
import { h, s } from './dom.ts';
import { chooseTheme, currentTheme, type Theme, themes } from './theme.ts';

function mark(): SVGElement {
  const square = (x: number, y: number, tint: string): SVGElement =>
    s('rect', { x, y, width: 9, height: 9, rx: 2, class: `tint-${tint}` });
  return s(
    'svg',
    { viewBox: '0 0 22 22', width: 26, height: 26, 'aria-hidden': 'true', class: 'logo' },
    square(12, 1, 'b'),
    square(1, 12, 'a'),
    square(12, 12, 'c'),
  );
}

function select<Value extends string>(
  label: string,
  id: string,
  values: readonly (readonly [Value, string])[],
  chosen: Value,
  choose: (value: Value) => void,
): HTMLElement {
  const box = h(
    'select',
    { id, 'aria-label': label, onchange: () => choose(box.value as Value) },
    ...values.map(([value, name]) =>
      h('option', { value, selected: value === chosen, lang: id === 'language' && value }, name),
    ),
  );
  return box;
}

export function header({ store, texts, actions }: Context): HTMLElement {
  const sections = (['measure', 'roofline', 'learn', 'compare'] as const).map((id) =>
    h('a', { href: `#${id}` }, texts.nav[id]),
  );
  sections.splice(-1, 0, h('a', { href: '#tuning' }, tuningTexts[store.state.language].nav));
  return h(
    'header',
    { class: 'top' },
    h('a', { class: 'skip', href: '#measure' }, texts.skip),
    h(
      'div',
      { class: 'bar' },
      h('a', { class: 'brand', href: '#measure' }, mark(), 'wgemm'),
      h('nav', { 'aria-label': 'wgemm' }, ...sections),
      h(
        'div',
        { class: 'choices' },
        select(
          texts.language,
          'language',
          Object.entries(languages).map(([id, language]) => [id as Language, language.name] as const),
          store.state.language,
          actions.setLanguage,
        ),
        select<Theme>(
          texts.theme.label,
          'theme',
          themes.map((theme) => [theme, texts.theme[theme]] as const),
          currentTheme(),
          chooseTheme,
        ),
      ),
    ),
  );
}
