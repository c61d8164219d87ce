import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeRoutes } from '../../scripts/routes/list.ts';
import { journey, withBrowser } from '../journey.ts';

// Pages of definitions stand between pages of the product's own: whoever goes from one to the other reads the same rows.
withBrowser();

const here = new Set(makeRoutes().map(([path]) => path));
/** Lists that ship as definitions; the desk of definitions is a page of its own. */
const lists = readFileSync(new URL('../../docs/design/routes.csv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.includes(',lowcode,'))
  .map((line) => line.split(',')[0] ?? '')
  .filter((path) => here.has(path) && !path.includes(':') && path !== '/amisPageV1');

journey('the lists of definitions look as their neighbours do', async ({ page, enter }) => {
  await enter('admin', '/userManagement');
  expect(lists.length).toBeGreaterThan(2);
  const faults: string[] = [];
  for (const path of lists) {
    await enter('admin', path);
    const place = page.locator('iframe:visible').first();
    const frame = place.contentFrame();
    await frame.locator('.antd-Crud tbody tr').first().waitFor();
    await frame.locator('.antd-Spinner--overlay, .antd-Spinner-icon').first().waitFor({ state: 'hidden' });
    const top = (await place.boundingBox())?.y ?? 0;
    const found = await frame.locator('body').evaluate((_, above) => {
      const table = [...document.querySelectorAll<HTMLElement>('.antd-Crud .antd-Table-table')].find((one) => one.checkVisibility());
      const rows = [...(table?.querySelectorAll<HTMLTableRowElement>('tbody > tr:not(.antd-Table-placeholder)') ?? [])];
      const heads = [...(table?.querySelectorAll<HTMLElement>('thead th') ?? [])].filter((head) => head.innerText.trim() !== '');
      const first = (table?.querySelector('tbody')?.getBoundingClientRect().top ?? 0) + above;
      const pager = document.querySelector('.antd-Table-footToolbar')?.getBoundingClientRect();
      return [
        ...rows
          .map((row) => Math.round(row.getBoundingClientRect().height))
          .flatMap((height) => (height === 35 ? [] : [`a row of ${height} px`])),
        ...heads.flatMap((head) => (getComputedStyle(head).fontWeight === '600' ? [] : [`a head that is not bold: ${head.innerText}`])),
        ...rows.flatMap((row) => [...row.cells].flatMap((cell) => (cell.innerText.trim() === '-' ? ['a dash of its own'] : []))),
        ...(first > 240 ? [`${Math.round(first)} px before the first row`] : []),
        ...(pager && pager.bottom > window.innerHeight + 1 ? ['the pager is out of sight'] : []),
      ];
    }, top);
    faults.push(...new Set(found.map((fault) => `${path}: ${fault}`)));
    const unfold = frame.getByRole('button', { name: '展开' });
    if (await unfold.count()) {
      const more = frame.locator('.kq-more').first();
      expect(await more.isVisible()).toBe(false);
      await unfold.click();
      await more.waitFor();
    }
  }
  expect(faults.join('\n')).toBe('');
});
