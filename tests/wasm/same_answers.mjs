// The module's answers and those of write_requests, byte by byte: whole plans, texts and numbers.
//   node same_answers.mjs WRITE_REQUESTS WGEMM_WASM
// Ends with 77 (skipped) where the module is not built. Counts go to the file that WGEMM_COUNT_FILE names.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {call, load} from './module.mjs';

const SKIPPED = 77;
const NEWLINE = 10;
const MOST_SHOWN = 5;
const MEMORY = 64 * 2 ** 20;  // bytes that no sequence of requests needs, unless memory is lost

const [program, file] = process.argv.slice(2);
if (!existsSync(file)) {
  console.log(`skipped: ${file} is not built; \`make web-build\` does it`);
  process.exit(SKIPPED);
}

async function* linesOf(stream) {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    for (let end; (end = rest.indexOf(NEWLINE)) >= 0; rest = rest.subarray(end + 1)) yield rest.subarray(0, end);
  }
  if (rest.length) throw new Error('the last line has no end');
}

/// What differs, around the first byte that does.
function difference(request, expected, found) {
  let at = 0;
  while (expected[at] === found[at]) at++;
  const around = (bytes) => bytes.subarray(Math.max(0, at - 80), at + 40).toString();
  return `${request.toString().slice(0, 600)}\n  native: ${around(expected)}\n  module: ${around(found)}`;
}

const exports = await load(file);
const count = {passed: 0, failed: 0};
const kinds = {plans: 0, halves: 0, cut: 0, whole: 0, panels: 0, refusals: 0, others: 0};
const texts = new Set();

function tally(request, answer) {
  const {result} = JSON.parse(answer);
  if (result === undefined) return void kinds.refusals++;
  const {call: name} = JSON.parse(request);
  if (name === 'split') return void kinds.halves++;
  if (name === 'panels') return void kinds[result === null ? 'whole' : 'cut']++;
  if (name === 'panel') return void kinds.panels++;
  if (name !== 'plan') return void kinds.others++;
  kinds.plans++;
  for (const {wgsl} of result.shaders) texts.add(createHash('sha1').update(wgsl).digest('hex'));
}

const native = spawn(program, {stdio: ['ignore', 'pipe', 'inherit']});
const ended = new Promise((resolve) => native.on('close', resolve));
let request;
for await (const line of linesOf(native.stdout)) {
  if (!request) {
    request = line;
    continue;
  }
  const answer = call(exports, request);
  if (answer.equals(line)) {
    count.passed++;
  } else if (count.failed++ < MOST_SHOWN) {
    console.log(difference(request, line, answer));
  }
  tally(request, line);
  request = undefined;
}

function expect(holds, what) {
  if (holds) return;
  count.failed++;
  console.log(what);
}
const status = await ended;
expect(status === 0, `${program} ended with ${status}`);
expect(!request, 'the last request has no answer');
const used = exports.memory.buffer.byteLength;
expect(used < MEMORY, `the module's memory grew to ${used} bytes`);
// Equal answers tell nothing if they are all refusals, or the same few texts.
expect(kinds.plans > kinds.refusals && texts.size > 500, 'hardly any plan was compared');
expect(kinds.cut > kinds.whole && kinds.panels > 2 * kinds.cut, 'hardly any product in panels was compared');

console.log(`${JSON.stringify(kinds)}, ${texts.size} texts, ${used} bytes of memory`);
console.log(`${count.passed} passed, ${count.failed} failed`);
if (process.env.WGEMM_COUNT_FILE) {
  mkdirSync(dirname(process.env.WGEMM_COUNT_FILE), {recursive: true});
  writeFileSync(process.env.WGEMM_COUNT_FILE, JSON.stringify(count));
}
process.exit(count.failed > 0 ? 1 : 0);
