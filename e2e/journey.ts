import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser, PATIENCE, person } from './browser.ts';
import { nextMinute } from './clock.ts';
import { signIn, takeSession } from './signIn.ts';

export interface Journey {
  page: Page;
  context: BrowserContext;
  /** The product's day in China; it may be another one than the machine's. */
  today: string;
  /** Another window of the same browser profile: shares local storage. */
  secondTab(): Promise<Page>;
  /** Another browser altogether. */
  otherBrowser(): Promise<Page>;
  /** Signs in by the login page and waits for the shell. */
  signIn(userName: string, page?: Page): Promise<void>;
  /** Opens an address as somebody who has signed in. */
  enter(userName: string, path: string, page?: Page): Promise<void>;
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

/** In a page: its clock goes as the product's does, which may have another day than the machine's. */
function setClock(aheadMs: number): void {
  const machine = Date;
  class Shifted extends machine {
    constructor(...given: ConstructorParameters<typeof Date> | []) {
      if (given.length === 0) super(machine.now() + aheadMs);
      else super(...given);
    }
    static override now(): number {
      return machine.now() + aheadMs;
    }
  }
  globalThis.Date = Shifted as DateConstructor;
}

/** One journey: its own profile; a console error, a page error or a failed request fails it. */
export function journey(name: string, walk: (journey: Journey) => Promise<void>): void {
  it(name, async () => {
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    const allowed: RegExp[] = [];
    const address = inject('address');
    const { now, today } = await nextMinute(address);
    const newContext = async () => {
      // Without a window the browser calls itself a robot's, which landing pages tell apart from people.
      const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
      const context = await browser.newContext({ ...person, userAgent, acceptDownloads: true });
      context.setDefaultTimeout(PATIENCE);
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
      await context.addInitScript(setClock, Date.parse(now) - Date.now());
      contexts.push(context);
      return context;
    };
    const context = await newContext();
    const page = await context.newPage();
    const open = async (path: string, on: Page = page) => void (await on.goto(address + path));
    try {
      await walk({
        page,
        context,
        today,
        open,
        secondTab: () => context.newPage(),
        otherBrowser: async () => (await newContext()).newPage(),
        signIn: (userName, on = page) => signIn(on, address, userName),
        async enter(userName, path, on = page) {
          await takeSession(on, address, userName);
          await open(path, on);
        },
        allow: (pattern) => void allowed.push(pattern),
      });
      expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
    } catch (error) {
      // What the operator would see now says more than the line that waited for something else: the page, and what lies over it.
      const texts = () => [document.body, ...document.querySelectorAll<HTMLElement>('[role=dialog]')].map(({ innerText }) => innerText);
      const seen = (await page.evaluate(texts).catch(() => [])).map((text) => text.replaceAll(/\n+/g, '|').slice(0, 600));
      throw new Error(`${(error as Error).message}\nat ${page.url()}, which shows:\n${seen.join('\n')}\n${faults.join('\n')}`, {
        cause: error,
      });
    } finally {
      for (const one of contexts) await one.close();
    }
  });
}
