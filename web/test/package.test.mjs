// The package as a user gets it: packed, installed into an empty folder, its README's example run, its types compiled.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import './support/device.mjs'; // for the environment, which the example inherits

const source = fileURLToPath(new URL('..', import.meta.url));
const modules = join(source, 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'wgemm-package-'));
after(() => rmSync(folder, { recursive: true }));

const npm = (args, cwd) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

/** The code block of the README that imports `module`. */
function example(module) {
  const blocks = readFileSync(join(source, 'README.md'), 'utf8').match(/(?<=^```js\n).*?(?=^```$)/gms);
  return blocks.find((block) => block.includes(`from '${module}'`));
}

test('packs what it needs, and no more', () => {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], source));
  const files = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/types/'));
  assert.deepEqual(files.sort(), ['README.md', 'dist/LICENSE', 'dist/index.js', 'dist/wgemm.wasm', 'package.json']);
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
});

test('wgemm.wasm and its glue are under 400 kB compressed', () => {
  const compressed = ['index.js', 'wgemm.wasm'].map(
    (file) => gzipSync(readFileSync(join(source, 'dist', file)), { level: 9 }).length,
  );
  assert.ok(statSync(join(source, 'dist/wgemm.wasm')).size > 100000);
  assert.ok(compressed[0] + compressed[1] < 400000, `${compressed.join(' + ')} bytes`);
});

test('installed into an empty folder, it runs the example of the README', () => {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  npm(['install', '--loglevel=error', './wgemm-0.1.0.tgz', join(modules, 'webgpu')], folder);
  writeFileSync(join(folder, 'example.js'), example('webgpu'));
  const output = execFileSync('node', ['example.js'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.equal(output.trim(), '58 64 139 154');
});

test('its types compile, and refuse what is wrong', () => {
  cpSync(join(source, 'test/types'), folder, { recursive: true });
  execFileSync(join(modules, '.bin/tsc'), ['-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
});
