import { existsSync } from 'node:fs';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions } from 'playwright-core';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

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

/** The machine's Chromium, else the one inside the npm package. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : await chromiumPackage.executablePath();
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
