import { existsSync } from 'node:fs';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

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
