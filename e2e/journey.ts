import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { signIn } from './signIn.ts';

export interface Journey {
  page: Page;
  context: BrowserContext;
  /** Another window of the same browser profile: shares local storage. */
  secondTab(): Promise<Page>;
  /** Another browser altogether. */
  otherBrowser(): Promise<Page>;
  /** Signs in by password and waits for the shell. */
  signIn(userName: string, page?: Page): Promise<void>;
  /** Opens an address of the product. */
  open(path: string, page?: Page): Promise<void>;
  /** Failures that this journey provokes on purpose: texts of console errors, or addresses of requests. */
  allow(pattern: RegExp): void;
}

let browser: Browser;

/** Call once in a file of journeys. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });
}

/** The product's clock stands still: a minute later the captchas and codes of other journeys no longer count. */
const nextMinute = (address: string) =>
  fetch(`${address}/test/clock`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ advanceMs: 61_000 }) });

/** One journey: its own profile; a console error, a page error or a failed request fails it. */
export function journey(name: string, walk: (journey: Journey) => Promise<void>): void {
  it(name, async () => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    const allowed: RegExp[] = [];
    const newContext = async () => {
      // Without a window the browser calls itself a robot's, which landing pages tell apart from people.
      const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
      const context = await browser.newContext({ userAgent, viewport: { width: 1440, height: 900 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai', acceptDownloads: true });
      context.setDefaultTimeout(15_000);
      context.on('page', (page) => {
        page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
        page.on('console', (message) => {
          if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
        });
        page.on('requestfailed', (request) => {
          const reason = request.failure()?.errorText ?? '';
          // Leaving a page ends what it was still asking.
          if (!reason.includes('ERR_ABORTED')) faults.push(`request: ${request.url()} ${reason}`);
        });
      });
      contexts.push(context);
      return context;
    };
    const context = await newContext();
    const page = await context.newPage();
    const address = inject('address');
    await nextMinute(address);
    const open = async (path: string, on: Page = page) => void (await on.goto(address + path));
    try {
      await walk({
        page,
        context,
        open,
        secondTab: () => context.newPage(),
        otherBrowser: async () => (await newContext()).newPage(),
        signIn: (userName, on = page) => signIn(on, address, userName),
        allow: (pattern) => void allowed.push(pattern),
      });
      expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
    } catch (error) {
      // What the operator would see now says more than the line that waited for something else.
      const seen = await page.evaluate(() => document.body.innerText).catch(() => '');
      throw new Error(`${(error as Error).message}\nat ${page.url()}, which shows:\n${seen.slice(0, 600)}\n${faults.join('\n')}`, { cause: error });
    } finally {
      for (const one of contexts) await one.close();
    }
  });
}
