import type { Browser } from 'playwright-core';
import type { Product } from '../../e2e/product.ts';
import { signIn } from '../../e2e/signIn.ts';
import { median } from '../load.ts';
import { atMostRow, type Row } from '../table.ts';

const CASES = 10;
const SWITCH_MS = 100;

/**
 * The queue of the doctors' qualifications: from the key until the next case, which was read ahead, is painted. The key
 * is pressed when the page has taken the next case in and rests, as it does while somebody reads.
 */
export async function measureQueue(browser: Browser, { address }: Product): Promise<Row> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  const isDetail = (url: string) => url.endsWith('/queryQualApplyDetail');
  const read = new Set<string>();
  page.on('requestfinished', (request) => {
    if (isDetail(request.url())) read.add(request.postData() ?? '');
  });
  await signIn(page, address, 'doc_a');
  await page.goto(`${address}/doctorManagement?tab=audit`);
  await page.getByRole('row').nth(2).waitFor();
  await page.keyboard.press('Alt+N');
  await page.getByText(/由我处理，至/).waitFor();
  const took: number[] = [];
  for (let shown = 1; shown <= CASES; shown += 1) {
    while (read.size < shown + 1) await page.waitForEvent('requestfinished', (request) => isDetail(request.url()));
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const painted = await page.evaluateHandle(() => {
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const facts = () => document.querySelector('.kq-audit-facts')?.textContent;
      const before = facts();
      const measured = new Promise<number>((resolve) => {
        const pressed = async () => {
          const began = performance.now();
          while ([undefined, before].includes(facts()) && (await frame()) - began < 5_000);
          // What stands there now is painted before the next frame begins.
          resolve((await frame()) - began);
        };
        window.addEventListener('keydown', () => void pressed(), { once: true, capture: true });
      });
      return { measured };
    });
    await page.keyboard.press('j');
    took.push(await painted.evaluate(({ measured }) => measured));
  }
  await page.close();
  return atMostRow(`audit queue: key to next case painted, median of ${CASES}`, median(took), SWITCH_MS, ' ms');
}
