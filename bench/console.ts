import type { Page } from 'playwright-core';
import { launchBrowser } from '../e2e/browser.ts';
import { signIn } from '../e2e/signIn.ts';
import { startWithLongTalk } from './console/product.ts';
import { measureQueue } from './console/queue.ts';
import { median } from './load.ts';
import { atMostRow, type Row } from './table.ts';

const MESSAGES = 5_000;
const MOST_SHOWN = 400;
const FRAMES = 50;
const SLOW_MS = 20;
const SCROLL_MS = 8_000;
const OPENINGS = 20;
const OPEN_MS = 150;
const OPENED = 6;
const PATIENCE_MS = 3_000;

interface Scrolled {
  frames: number[];
  mostShown: number;
}

/** So many points of the screen per frame, as a wheel or a finger moves it; up through history, down through what is loaded. */
const scroll = (page: Page, step: number): Promise<Scrolled> =>
  page.evaluate(
    async ([by, lasts]) => {
      const box = document.querySelector('.im-messages')!;
      const frames: number[] = [];
      let mostShown = 0;
      const began = performance.now();
      for (let last = began; last - began < lasts;) {
        box.scrollTop += by;
        const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        frames.push(at - last);
        last = at;
        mostShown = Math.max(mostShown, box.querySelectorAll('[data-seq]').length);
      }
      return { frames: frames.slice(1), mostShown };
    },
    [step, SCROLL_MS] as const,
  );

/** Up to the first message of all: nothing older comes for a while. */
const toBeginning = (page: Page): Promise<number> =>
  page.evaluate(async (patience) => {
    const box = document.querySelector('.im-messages')!;
    const oldest = () => box.querySelector<HTMLElement>('[data-seq]')?.dataset['seq'];
    let mostShown = 0;
    let first = oldest();
    for (let since = performance.now(); performance.now() - since < patience;) {
      box.scrollTop = box.scrollTop > 100 ? 100 : box.scrollTop;
      box.scrollTop = 0;
      await new Promise(requestAnimationFrame);
      mostShown = Math.max(mostShown, box.querySelectorAll('[data-seq]').length);
      if (oldest() !== first) {
        first = oldest();
        since = performance.now();
      }
    }
    return mostShown;
  }, PATIENCE_MS);

/** From the click on a conversation until its newest messages are painted. */
const open = (page: Page, row: number): Promise<number> =>
  page.evaluate(async (index) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const target = document.querySelectorAll<HTMLElement>('.im-rows [role=option]')[index]!;
    const before = document.querySelector('.im-messages [data-key]');
    const began = performance.now();
    target.click();
    for (;;) {
      await frame();
      const shown = document.querySelector('.im-messages [data-key]');
      if (
        shown &&
        shown !== before &&
        !document.querySelector('.im-messages .im-skeleton') &&
        target.getAttribute('aria-selected') === 'true'
      )
        break;
    }
    // What stands there now is painted before the next frame begins.
    return (await frame()) - began;
  }, row);

function framesRow(what: string, { frames }: Scrolled): Row {
  const rate = 1_000 / median(frames);
  const slow = frames.filter((ms) => ms > SLOW_MS).length / frames.length;
  return {
    what: `console: ${what}`,
    measured: `${rate.toFixed(0)} frames/s, ${(slow * 100).toFixed(0)} % above ${SLOW_MS} ms`,
    goal: `>= ${FRAMES} frames/s`,
    held: rate >= FRAMES,
  };
}

/** The assistant's console and the auditor's queue in Chromium, on the demonstration. */
export async function measureConsole(): Promise<Row[]> {
  const product = await startWithLongTalk(MESSAGES);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
    await signIn(page, product.address, 'assist_a');
    await page.goto(`${product.address}/assistantIM`);
    const rows = page.locator('.im-rows [role=option]');
    await rows.nth(OPENED).waitFor();
    // Each once before: then the browser has its parts.
    for (let row = 0; row < OPENED; row += 1) await open(page, row);
    const openings: number[] = [];
    for (let n = 0; n < OPENINGS; n += 1) openings.push(await open(page, n % OPENED));

    await page.getByLabel('患者或会话名称').fill(product.long.split('-')[0]!);
    await rows.filter({ hasText: product.long }).first().click();
    await page.locator(`.im-messages [data-seq="${MESSAGES}"]`).waitFor();
    const history = await scroll(page, -60);
    const climbed = await toBeginning(page);
    const down = await scroll(page, 60);
    const up = await scroll(page, -60);
    return [
      atMostRow(`console: a conversation opened, warm, click to painted, median of ${OPENINGS}`, median(openings), OPEN_MS, ' ms'),
      framesRow(`through the history of ${MESSAGES} messages while it is loaded`, history),
      framesRow(`down through ${MESSAGES} loaded messages`, down),
      framesRow('up again', up),
      atMostRow(
        'console: messages in the page at any frame',
        Math.max(history.mostShown, climbed, down.mostShown, up.mostShown),
        MOST_SHOWN,
      ),
      await measureQueue(browser, product),
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
}
