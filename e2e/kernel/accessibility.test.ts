import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ContextObject, RunOptions, Spec } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { makeRoutes } from '../../scripts/routes/list.ts';
import { journey, withBrowser } from '../journey.ts';
import { walkOn } from '../walk.ts';

// Every page of the product, with the demonstration's rows: who uses a screen reader or a small screen meets no nameless control, no
// text too pale to read, nothing cut off without a way to the rest. A page that is added later is walked by itself.
withBrowser();

/** Pages without the shell: they are looked at by the journeys of who enters and of patients. */
const OUTSIDE = new Set(['/', '*', '/login', '/loginCode', '/editUsePwd', '/noentry', '/wx/consult', '/wx/form']);
const RULES = [
  'aria-command-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-tooltip-name',
  'aria-treeitem-name',
  'button-name',
  'color-contrast',
  'frame-title',
  'image-alt',
  'input-button-name',
  'input-image-alt',
  'label',
  'link-name',
  'role-img-alt',
  'select-name',
  'svg-img-alt',
];

declare global {
  interface Window {
    axe: { run(where: ContextObject, options: RunOptions): Promise<AxeResults>; configure(spec: Spec): void };
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param besides what was looked at before: the shell is the same around every page, and pages of other tabs stay in the document */
const faultsOf = (page: Page, besides: string) =>
  page.evaluate(
    async ({ rules, besides }) => {
      // A count of one digit is to be read as well as one of two.
      window.axe.configure({ checks: [{ id: 'color-contrast', options: { ignoreLength: true } }] });
      const hidden = [...document.querySelectorAll('.kq-page')].filter((one) => !one.checkVisibility());
      const exclude = [...hidden, ...document.querySelectorAll(besides)];
      // The tool reads the whole document before it leaves out a part. A frame would load again.
      const away = hidden.filter((one) => !one.querySelector('iframe'));
      const places = away.map(() => document.createComment(''));
      for (const [at, place] of places.entries()) away[at]!.replaceWith(place);
      const run = window.axe.run({ include: [document.body], exclude }, { runOnly: rules, resultTypes: ['violations'] });
      const { violations } = await run.finally(() => {
        for (const [at, place] of places.entries()) place.replaceWith(away[at]!);
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id} ${target.join(' ')} ${html.slice(0, 120)}`));
    },
    { rules: RULES, besides },
  );

/** Of the page that is shown: columns of states out of sight, text that is cut without a mark or without its whole text at hand. */
const misfits = (page: Page) =>
  page.evaluate(() => {
    const root = [...document.querySelectorAll<HTMLElement>('.kq-page:not([data-left])')].find((one) => one.checkVisibility());
    if (!root) return ['no page'];
    const found = new Set<string>();
    const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    for (const grid of [...root.querySelectorAll('.kq-grid')].filter(seen)) {
      const right = grid.getBoundingClientRect().right;
      for (const head of grid.querySelectorAll<HTMLElement>('.kq-grid-head .kq-td')) {
        if (head.innerText.trim() === '状态' && head.getBoundingClientRect().right > right + 1)
          found.add('the column 状态 is out of sight');
      }
    }
    if (document.documentElement.scrollWidth > window.innerWidth) found.add('the page scrolls sideways');
    for (const cell of [...root.querySelectorAll<HTMLElement>('.kq-grid [role=cell] *, .kq-grid [role=cell]')].filter(seen)) {
      const style = getComputedStyle(cell);
      if (style.overflowX !== 'hidden' || cell.scrollWidth <= cell.clientWidth + 1 || cell.clientWidth < 2) continue;
      const text = cell.innerText.replaceAll(/\s+/g, ' ').slice(0, 40);
      if (text === '') continue;
      // Of days, amounts and numbers each character counts.
      if (/^[\d\s*+.,:/%¥–→至长期-]{4,}$/.test(text)) found.add(`a day, an amount or a number is cut: ${text}`);
      if (style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none') found.add(`cut without a mark: ${text}`);
      cell.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      if (!cell.closest('[title]')) found.add(`cut without its whole text on hover: ${text}`);
    }
    const lines = [...root.querySelectorAll('[role=treeitem], .ant-tree-treenode')]
      .filter(seen)
      .map((line) => line.getBoundingClientRect());
    for (const hint of [...root.querySelectorAll<HTMLElement>('p.kq-muted, span.kq-muted')].filter(seen)) {
      if (hint.closest('[role=treeitem], .ant-tree-treenode')) continue;
      const box = hint.getBoundingClientRect();
      const covers = (line: DOMRect) =>
        box.left < line.right - 1 && line.left < box.right - 1 && box.top < line.bottom - 1 && line.top < box.bottom - 1;
      if (box.width > 0 && lines.some((line) => line.height > 0 && covers(line)))
        found.add(`over a tree's line: ${hint.innerText.slice(0, 40)}`);
    }
    return [...found];
  });

// A route with a parameter is the pages that stand under it: the built-in ones are walked by their own names.
const walked = makeRoutes()
  .map(([route, , , domain]) => ({ route: route!, domain: domain! }))
  .filter(({ route }) => !OUTSIDE.has(route) && !route.includes(':'));

// A journey for each domain: the time that one has does not grow with the product.
for (const [domain, pages] of Map.groupBy(walked, (page) => page.domain))
  journey(
    `no page of ${domain} has a nameless control or text too pale to read, and at 1280 nothing is cut off for good`,
    async ({ page, enter }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await enter('admin', '/userManagement');
      await page.getByRole('navigation', { name: '主菜单' }).waitFor();
      const walk = walkOn(page);
      await page.evaluate(axe);
      const faults: string[] = [];
      let besides = '.kq-none';
      for (const { route } of pages) {
        await walk.visit(route);
        const look = async (where: string) => {
          for (const fault of [...(await faultsOf(page, besides)), ...(await misfits(page))]) faults.push(`${where}: ${fault}`);
          besides = 'nav[aria-label=主菜单]';
        };
        await look(route);
        const parts = await walk.parts();
        for (let part = 1; part < parts.length; part += 1) {
          await walk.openPart(part);
          await look(`${route} ${parts[part]}`);
        }
      }
      expect(faults.join('\n')).toBe('');
    },
  );
