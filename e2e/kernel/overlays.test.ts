import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { makeRoutes } from '../../scripts/routes/list.ts';
import { journey, withBrowser } from '../journey.ts';
import { walkOn } from '../walk.ts';

// What opens over a page, everywhere: the keyboard begins in its first field, Back closes it and stays on the page, and who closes it is
// where he was. A page that is added later is tried by itself.
withBrowser();

/** Pages without the shell, and those that open nothing over a list. */
const OUTSIDE = new Set(['/', '*', '/login', '/loginCode', '/editUsePwd', '/noentry', '/wx/consult', '/wx/form', '/assistantIM']);
/** Opens a window of the machine, downloads, or does something at once. */
const NO_OPENER = /导出|下载|刷新|立即|重新生成|全部已读|统计|查询|重置/;

/** So many of a page are tried; they go through the same place. */
const MOST_OPENERS = 3;

/** Of the panel on top: where the keyboard is in it; null: nothing is open. */
const focusOf = (page: Page) =>
  page.evaluate(() => {
    const panels = [...document.querySelectorAll<HTMLElement>('.ant-modal, .ant-drawer-section')].filter((one) => one.checkVisibility());
    const panel = panels.at(-1);
    if (!panel) return null;
    const body = panel.querySelector('.ant-modal-body, .ant-drawer-body');
    const fields = [
      ...(body?.querySelectorAll<HTMLInputElement>(
        'input:not([type=hidden], [type=file], [type=radio]), input[type=radio]:checked, textarea, [role=switch]',
      ) ?? []),
    ].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) && !one.disabled && (!one.readOnly || one.getAttribute('role') === 'combobox'),
    );
    const at = document.activeElement;
    const isHeld = at !== null && panel.contains(at) && !at.closest('.ant-modal-close, .ant-drawer-close');
    const title = panel.querySelector('.ant-modal-title, .ant-drawer-title')?.textContent ?? '';
    return { title, begins: isHeld && (fields.length === 0 || at === fields[0]), at: at?.outerHTML.slice(0, 100) ?? '' };
  });

const walked = makeRoutes()
  .map(([route, , , domain]) => ({ route: route!, domain: domain! }))
  .filter(({ route }) => !OUTSIDE.has(route) && !route.includes(':'));

for (const [domain, pages] of Map.groupBy(walked, (page) => page.domain))
  journey(
    `what opens over the pages of ${domain} takes the keyboard, closes by Back and gives the keyboard back`,
    async ({ page, enter }) => {
      await enter('admin', '/userManagement');
      await page.getByRole('navigation', { name: '主菜单' }).waitFor();
      const walk = walkOn(page);
      const faults: string[] = [];
      let opened = 0;
      for (const { route } of pages) {
        await walk.visit(route);
        const openers = walk.shown.locator(
          '.kq-toolbar-main button:enabled:visible, .kq-grid [role=row]:nth-child(1) .kq-actions button:visible',
        );
        const names = [...new Set(await openers.allInnerTexts())].filter((one) => one.trim() !== '' && !NO_OPENER.test(one));
        for (const name of names.slice(0, MOST_OPENERS)) {
          const opener = openers.filter({ hasText: name }).first();
          const address = page.url();
          await opener.click();
          await walk.settle();
          const first = await focusOf(page);
          if (first === null) {
            await page.keyboard.press('Escape');
            if (new URL(page.url()).pathname !== new URL(address).pathname) await walk.visit(route);
            continue;
          }
          opened += 1;
          const where = `${route} ${name} “${first.title}”`;
          if (!first.begins) faults.push(`${where}: the keyboard begins at ${first.at}`);
          await page.goBack();
          await walk.settle();
          if ((await focusOf(page)) !== null) faults.push(`${where}: Back leaves it open`);
          if (new URL(page.url()).pathname !== new URL(address).pathname) {
            faults.push(`${where}: Back leaves the page`);
            await walk.visit(route);
            continue;
          }
          const back = await page.evaluate(() => document.activeElement?.textContent ?? '');
          if (!back.includes(name)) faults.push(`${where}: the keyboard is at “${back.slice(0, 30)}” afterwards`);
          for (let times = 0; times < 3 && (await focusOf(page)) !== null; times += 1) {
            await page.keyboard.press('Escape');
            await walk.settle();
          }
        }
      }
      expect(faults.join('\n')).toBe('');
      expect(opened).toBeGreaterThan(0);
    },
  );
