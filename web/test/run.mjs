// Runs the tests of the package or of the page, each file in a process of its own, and counts them.
//   node run.mjs [page]
// Ends with 77 (skipped) where what they need is missing. Counts go to the file that WGEMM_COUNT_FILE names.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = new URL('../', import.meta.url);
const ofPage = process.argv[2] === 'page';
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const needed = ofPage
  ? ['dist/page/main.js', 'node_modules/playwright-core', chromium]
  : ['dist/index.js', 'dist/wgemm.wasm', 'node_modules/webgpu'];
const lacking = needed.filter((path) => !existsSync(new URL(path, web)));
if (lacking.length > 0) {
  console.log(`skipped: there is no ${lacking.join(', no ')}; \`make test\` brings them`);
  process.exit(77);
}

const folder = new URL(ofPage ? 'test/page/' : 'test/', web);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
const paths = files.map((name) => fileURLToPath(new URL(name, folder)));
// A browser with a software adapter fills the processor alone.
const together = ofPage ? 1 : 2;
const args = ['--test', '--test-force-exit', '--test-reporter=tap', `--test-concurrency=${together}`, ...paths];
const tests = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
tests.stdout.on('data', (text) => {
  output += text;
});
const status = await new Promise((resolve) => tests.on('close', resolve));

const number = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
const count = {
  passed: number('pass'),
  failed: number('fail') + number('cancelled'),
  skipped: number('skipped') + number('todo'),
};
if (status !== 0 && count.failed === 0) count.failed = 1;
if (count.failed > 0 || count.passed === 0) console.log(output);
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
if (process.env.WGEMM_COUNT_FILE) {
  mkdirSync(dirname(process.env.WGEMM_COUNT_FILE), { recursive: true });
  writeFileSync(process.env.WGEMM_COUNT_FILE, JSON.stringify(count));
}
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0);
