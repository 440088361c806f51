// A module of the page for Node, which runs no TypeScript.
import { build } from 'esbuild';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const page = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'page');

export async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [path.join(page, name)], bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
