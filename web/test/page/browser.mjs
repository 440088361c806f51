// The built page, or the package, on localhost, in Chromium with a software adapter.
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const dist = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist');
const roots = { page: path.join(dist, 'page'), package: dist };
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A plain static server, under a folder, since the page must not mind where it lies. */
export async function serve(what = 'page') {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.replace(/^\/some\/folder\//, '') || 'index.html';
    try {
      const content = await readFile(path.join(roots[what], path.basename(name)));
      response.writeHead(200, { 'content-type': types[path.extname(name)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/some/folder/`, close: () => server.close() };
}

const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Without webgpu it is Chromium as it starts on a machine without a GPU. */
export async function launch({ webgpu = true } = {}) {
  const profile = await mkdtemp(path.join(tmpdir(), 'wgemm-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    acceptDownloads: true,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    args: [
      '--no-sandbox',
      ...quiet,
      ...(webgpu
        ? ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']
        : ['--disable-gpu', '--disable-software-rasterizer']),
    ],
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** A server and a browser for the tests of a file, there while they run. */
export function around({ before, after }, what = 'page') {
  const parts = {};
  before(async () => {
    parts.server = await serve(what);
    parts.browser = await launch();
  });
  after(async () => {
    await parts.browser?.close();
    parts.server?.close();
  });
  return parts;
}
