// Which language the page speaks: ?lang=, else what was chosen before, else what the browser asks for.
import { en } from './en.ts';
import { ja } from './ja.ts';
import type { Texts } from './types.ts';
import { zh } from './zh.ts';

export const languages = { en, ja, zh } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

const KEY = 'wgemm language';

function known(name: string | null | undefined): Language | undefined {
  const base = name?.toLowerCase().split('-')[0];
  return base !== undefined && base in languages ? (base as Language) : undefined;
}

export function initialLanguage(): Language {
  return known(new URLSearchParams(location.search).get('lang'))
    ?? known(stored(KEY))
    ?? navigator.languages.map(known).find((language) => language !== undefined)
    ?? 'en';
}

export function keepLanguage(language: Language): void {
  store(KEY, language);
  const address = new URL(location.href);
  if (!address.searchParams.has('lang')) return;
  address.searchParams.set('lang', language);
  history.replaceState(null, '', address);
}

/** Storage may be switched off. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
