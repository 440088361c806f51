// Puts the page together and starts runs.
import { isSession, openSession } from './bench/device.ts';
import { climb, newRun, rowIds } from './bench/ladder.ts';
import { bindable, SIZES } from './bench/settings.ts';
import { carriesRun, runOf } from './share/link.ts';
import { type Actions, type Context, Store } from './state.ts';
import { keepLanguage } from './text/language.ts';
import { tuning } from './tuning/view.ts';
import { compare } from './view/compare.ts';
import { h } from './view/dom.ts';
import { header } from './view/header.ts';
import { hero } from './view/hero.ts';
import { ladder } from './view/ladder.ts';
import { learn } from './view/learn.ts';
import { roofline } from './view/roofline.ts';
import { applyTheme, currentTheme } from './view/theme.ts';

const store = new Store();
let life = new AbortController(); // of what is on the page, which is made anew with the language
let stopping = new AbortController();

const actions: Actions = {
  start: () => void start(),
  stop: () => stopping.abort(new DOMException('stopped', 'AbortError')),
  setLanguage(language) {
    store.set({ language });
    keepLanguage(language);
    show();
    document.getElementById('language')?.focus();
  },
  showLesson: (lesson) => store.set({ lesson }),
};

function show(): void {
  life.abort();
  life = new AbortController();
  const { texts, formats } = store;
  const context: Context = { store, texts, formats, signal: life.signal, actions };
  document.documentElement.lang = store.state.language;
  document.title = texts.title;
  document.querySelector('meta[name=description]')?.setAttribute('content', texts.description);
  document.body.replaceChildren(
    header(context),
    h('main', {}, hero(context), ladder(context), roofline(context), learn(context), tuning(context), compare(context)),
    h('footer', {}, h('p', {}, texts.footer)),
  );
}

async function open(): Promise<void> {
  store.set({ opening: true });
  const opened = await openSession();
  if (!isSession(opened)) {
    store.set({ opening: false, session: undefined, obstacle: opened });
    return;
  }
  const { settings } = store.state;
  const fits = bindable(opened.device.limits);
  const largest = SIZES.findLast((n) => n <= settings.n && fits(n)) ?? SIZES[0];
  const n = opened.summary.software ? Math.min(largest, 256) : largest;
  store.set({ opening: false, session: opened, obstacle: undefined, settings: { ...settings, n } });
  void opened.device.lost.then(({ message, reason }) => {
    if (store.state.session !== opened) return;
    opened.gemm.destroy();
    // While a run goes on, it notices by itself and ends.
    const ending = { kind: 'lost', message: message || reason || 'unknown' } as const;
    store.set({ session: undefined, ...(store.state.running ? {} : { ending }) });
  });
}

async function start(): Promise<void> {
  if (store.state.running) return;
  if (!store.state.session) await open();
  const { session, settings } = store.state;
  stopping = new AbortController();
  const run = newRun(session, settings);
  const began = performance.now();
  store.set({ running: true, run, ending: undefined, current: undefined, done: 0, total: rowIds(session).length });
  const ending = await climb(
    run,
    session,
    {
      stage: (id, stage, n) => store.set({ current: { id, stage, n } }),
      row: (_, done, total) => store.set({ done, total }),
    },
    stopping.signal,
  );
  const compared = run.rows.length > 0 ? [...store.state.compared, run] : store.state.compared;
  store.set({ running: false, current: undefined, ending, compared, seconds: (performance.now() - began) / 1000 });
}

async function showLinkedRun(): Promise<void> {
  const run = carriesRun(location.hash) ? await runOf(location.href) : undefined;
  if (!run || store.state.running) return;
  store.set({ compared: [...store.state.compared, run], fromLink: true });
  document.getElementById('compare')?.scrollIntoView();
}

applyTheme(currentTheme());
show();
addEventListener('hashchange', () => void showLinkedRun());
await Promise.all([open(), showLinkedRun()]);
