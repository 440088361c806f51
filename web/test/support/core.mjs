// The core as the package has it, without the package around it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export async function openCore() {
  const { outputFiles } = await build({
    entryPoints: [file('src/wasm/core.ts')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  });
  const { Core } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  return Core.load(readFileSync(file('dist/wgemm.wasm')));
}
