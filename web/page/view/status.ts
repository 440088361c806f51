// What is going on, what went wrong, and what to do then.
import { measured } from '../bench/result.ts';
import type { Context } from '../state.ts';
import { h, paragraphs, say } from './dom.ts';
import { rowName } from './format.ts';

export function status(context: Context): HTMLElement {
  const { store, texts, formats, signal } = context;
  const bar = h('progress', { max: 1, value: 0, 'aria-label': texts.status.progress });
  const doing = h('p', { class: 'doing' });
  const ended = h('p', { id: 'ended', role: 'status' });  // heard at the end, and after each row
  const heard = h('p', { class: 'heard', role: 'status' });

  store.watch(() => {
    const { running, current, done, total, run, ending } = store.state;
    bar.hidden = doing.hidden = !running;
    bar.max = Math.max(total, 1);
    bar.value = done;
    say(doing, current ? texts.stages[current.stage](rowName(current, texts), current.n) : '');
    const last = running ? run?.rows.at(-1) : undefined;
    say(heard, !last ? '' : measured(last)
      ? texts.status.row(rowName(last, texts), formats.gflops(last.gflops)) : texts.status.skipped(rowName(last, texts)));
    ended.className = ending && ending.kind !== 'done' && ending.kind !== 'stopped' ? 'notice trouble' : 'ended';
    say(ended, !ending || running ? '' : ending.kind === 'done' ? texts.status.done(formats.plain(store.state.seconds))
      : ending.kind === 'stopped' ? texts.status.stopped : texts.status[ending.kind](ending.message));
    ended.hidden = ended.textContent === '';
  }, signal);

  return h('div', { class: 'status' }, bar, doing, heard, ended, obstacle(context));
}

function obstacle({ store, texts, signal }: Context): HTMLElement {
  const what = h('p', { class: 'what' });
  const box = h('div', { id: 'obstacle', class: 'notice trouble', role: 'status' },
    what, h('ul', {}, ...texts.obstacle.advice.map((text) => h('li', {}, text))), ...paragraphs([texts.obstacle.cpuOnly]));
  store.watch(() => {
    const found = store.state.obstacle;
    box.hidden = !found;
    if (found) say(what, found.kind === 'failed' ? texts.obstacle.failed(found.message) : texts.obstacle[found.kind]);
  }, signal);
  return box;
}
