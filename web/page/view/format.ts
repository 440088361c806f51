// Numbers and dates as the page's language writes them.
import type { Row } from '../bench/result.ts';
import type { Language } from '../text/language.ts';
import type { Texts } from '../text/types.ts';

export interface Formats {
  gflops(value: number): string;
  milliseconds(value: number): string;
  ratio(value: number): string;
  plain(value: number): string;
  date(iso: string): string;
}

export function formats(language: Language): Formats {
  const significant = (value: number, digits: number): string => new Intl.NumberFormat(language, {
    maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1))),
  }).format(value);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    gflops: (value) => significant(value, 3),
    milliseconds: (value) => `${significant(value, 3)} ms`,
    ratio: (value) => significant(value, 2),
    plain: (value) => significant(value, 3),
    date: (iso) => dates.format(new Date(iso)),
  };
}

export function rowName(row: Pick<Row, 'id'> & Partial<Pick<Row, 'operands'>>, texts: Texts): string {
  const name = texts.rows[row.id] ?? row.id;
  return row.operands === 'f16' ? `${name} (f16)` : name;
}
