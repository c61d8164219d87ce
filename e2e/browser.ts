import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
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

/** What has just closed over a page steps back in the history; a page that is opened before that is done would not come. */
const STEPPED_MS = 2_000;

/** As slow as a person: opens an address when what was closed before has left its entry of the history. */
function opensWhenStepped(page: Page): void {
  const stepped = () =>
    page
      .waitForFunction(
        () =>
          !('kqLayer' in (history.state ?? {})) ||
          [...document.querySelectorAll('.ant-modal, .ant-drawer-section')].some((panel) => panel.checkVisibility()),
        undefined,
        { timeout: STEPPED_MS },
      )
      // After a reload the entry stands without what was open.
      .catch(() => {});
  const goto = page.goto.bind(page);
  page.goto = async (...target) => {
    await stepped();
    return goto(...target);
  };
}

/** The machine's Chromium, else the one inside the npm package. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : await unpackedChromium();
  const browser = await chromium.launch({ executablePath, args: [...ARGS, ...more] });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.on('page', opensWhenStepped);
    return context;
  };
  return browser;
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
