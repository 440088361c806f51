// Light or dark: as the system has it, unless the user chose.
import { store, stored } from '../text/language.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const KEY = 'wgemm theme';
const changed = new EventTarget();

export function currentTheme(): Theme {
  return themes.find((theme) => theme === stored(KEY)) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  changed.dispatchEvent(new Event('change'));
}

export function chooseTheme(theme: Theme): void {
  store(KEY, theme);
  applyTheme(theme);
}

/** Calls when colours change, whoever changed them. */
export function onColours(listener: () => void, signal: AbortSignal): void {
  changed.addEventListener('change', listener, { signal });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener, { signal });
}

/** Value of a colour of style/tokens.css. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
