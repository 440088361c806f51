// Modules of the package as it has them, without the package around them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A module below src/. */
export async function importSource(path) {
  const { outputFiles } = await build({
    entryPoints: [file(`src/${path}`)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export async function openCore() {
  const { Core } = await importSource('wasm/core.ts');
  return Core.load(readFileSync(file('dist/wgemm.wasm')));
}
