import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { launchBrowser } from '../../e2e/browser.ts';
import { median } from '../load.ts';
import type { Row } from '../table.ts';

interface Bench {
  mount(rows: number): Promise<number>;
  tick(): Promise<number>;
  scroll(): Promise<number>;
}

const ADDRESS = 'http://bench.invalid';
const ROUNDS = 7;
const MOUNT_MS = 300;
const TICK_MS = 30;
const FRAMES = 50;

/** Mount of 100 rows x 30 columns, a tick box, and scrolling 10,000 rows, in headless Chromium; medians. */
export async function measureDataTable(): Promise<Row[]> {
  const built = (await build({
    configFile: false,
    root: import.meta.dirname,
    plugins: [react()],
    logLevel: 'error',
    build: { write: false, target: 'es2023' },
  })) as Rolldown.RolldownOutput;
  const files = new Map(built.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 800 } });
    await page.route(`${ADDRESS}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const body = files.get(pathname === '/' ? '/index.html' : pathname);
      if (body === undefined) return route.fulfill({ status: 404 });
      const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
      return route.fulfill({
        body: typeof body === 'string' ? body : Buffer.from(body),
        contentType: types[path.extname(pathname) || '.html'] ?? 'text/plain',
      });
    });
    await page.goto(ADDRESS);
    await page.waitForFunction(() => 'bench' in window);
    const run = <K extends keyof Bench>(name: K, argument: number) =>
      page.evaluate(
        ([key, value]) =>
          (globalThis as typeof globalThis & { bench: Record<string, (value: number) => Promise<number>> }).bench[key]!(value),
        [name, argument] as const,
      );
    const mounts: number[] = [];
    const ticks: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      mounts.push(await run('mount', 100));
      ticks.push(await run('tick', 0));
    }
    await run('mount', 10_000);
    const frames: number[] = [];
    for (let round = 0; round < 3; round += 1) frames.push(await run('scroll', 0));
    const [mount, tick, scroll] = [median(mounts), median(ticks), median(frames)];
    return [
      {
        what: 'DataTable 100 rows x 30 columns, mounted and painted',
        measured: `${mount.toFixed(0)} ms`,
        goal: `<= ${MOUNT_MS} ms`,
        held: mount <= MOUNT_MS,
      },
      { what: 'DataTable tick box, painted', measured: `${tick.toFixed(0)} ms`, goal: `<= ${TICK_MS} ms`, held: tick <= TICK_MS },
      {
        what: 'DataTable scrolling 10,000 rows',
        measured: `${scroll.toFixed(0)} frames/s`,
        goal: `>= ${FRAMES} frames/s`,
        held: scroll >= FRAMES,
      },
    ];
  } finally {
    await browser.close();
  }
}
