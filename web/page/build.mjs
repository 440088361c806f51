// Bundles the page into dist/page: static files that any host can serve, with relative addresses only.
import { build } from 'esbuild';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const page = path.dirname(fileURLToPath(import.meta.url));
const output = path.join(page, '..', 'dist', 'page');
const core = process.env.WGEMM_WASM ?? path.join(page, '..', 'dist', 'wgemm.wasm');

/** `import x from 'text:./file'` is the file's text, `'wat:./file'` the WebAssembly module that it describes. */
const assets = {
  name: 'assets',
  setup(bundler) {
    for (const kind of ['text', 'wat']) {
      bundler.onResolve({ filter: new RegExp(`^${kind}:`) }, ({ path: name, resolveDir }) => ({
        path: path.resolve(resolveDir, name.slice(kind.length + 1)),
        namespace: kind,
      }));
    }
    bundler.onLoad({ filter: /.*/, namespace: 'text' }, async ({ path: file }) => ({
      contents: await readFile(file, 'utf8'),
      loader: 'text',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'wat' }, async ({ path: file }) => {
      const module = (await wabt()).parseWat(file, await readFile(file, 'utf8'), { simd: true });
      return { contents: module.toBinary({}).buffer, loader: 'binary' };
    });
  },
};

await rm(output, { recursive: true, force: true });
await mkdir(output, { recursive: true });
await build({
  entryPoints: { main: path.join(page, 'main.ts'), worker: path.join(page, 'bench', 'worker.ts') },
  outdir: output,
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  minify: true,
  sourcemap: true,
  legalComments: 'linked',
  plugins: [assets],
  logLevel: 'info',
});
await build({
  entryPoints: [path.join(page, 'style', 'main.css')],
  outfile: path.join(output, 'main.css'),
  bundle: true,
  minify: true,
  logLevel: 'info',
});
await cp(path.join(page, 'index.html'), path.join(output, 'index.html'));
await cp(path.join(page, 'icon.svg'), path.join(output, 'icon.svg'));
await cp(core, path.join(output, 'wgemm.wasm'));
