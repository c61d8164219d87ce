import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const CACHE = path.join(import.meta.dirname, '../node_modules/.cache/kangqiao');

/** Also works as root, without a display, and says nothing to the outside. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The Chromium of the npm package, unpacked once. The package unpacks into the temporary folder and takes a half-written file there for
 * a whole one: it gets a folder of its own, which takes its place when it is whole.
 */
async function unpackedChromium(): Promise<string> {
  const folder = path.join(CACHE, `chromium-${packageJson.devDependencies['@sparticuz/chromium']}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const making = mkdtempSync(`${folder}-`);
    const temporary = process.env['TMPDIR'];
    try {
      process.env['TMPDIR'] = making;
      await chromiumPackage.executablePath();
      renameSync(making, folder);
    } catch (error) {
      // Another run was first.
      if (!existsSync(folder)) throw error;
    } finally {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
      rmSync(making, { recursive: true, force: true });
    }
  }
  return path.join(folder, 'chromium');
}

/** The machine's Chromium, else the one inside the npm package. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : await unpackedChromium();
  return chromium.launch({ executablePath, args: [...ARGS, ...more] });
}

/** Most time that a page gets for one step, in ms. Nothing waits for a time to pass, so a busy machine may take its own. */
export const PATIENCE = 30_000;

/** An operator in front of a usual screen, who asked for less motion: then nothing moves away from under a click. */
export const person: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  reducedMotion: 'reduce',
};
