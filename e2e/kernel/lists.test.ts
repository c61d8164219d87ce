import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { makeRoutes } from '../../scripts/routes/list.ts';
import { journey, withBrowser } from '../journey.ts';
import { walkOn } from '../walk.ts';

// What a list is about is seen: on a small screen and on a usual one every vital column of every list stands in sight with its texts whole,
// and the columns that stay in their place leave the rest three quarters of the width. A page that is added later is looked at by itself.
withBrowser();

const OUTSIDE = new Set(['/', '*', '/login', '/loginCode', '/editUsePwd', '/noentry', '/wx/consult', '/wx/form']);
const SCREENS = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

/** Of the lists of the page that is shown: vital columns out of sight, their texts that are cut, fixed columns that are too wide. */
const unseen = (page: Page) =>
  page.evaluate(() => {
    const root = [...document.querySelectorAll<HTMLElement>('.kq-page:not([data-left])')].find((one) => one.checkVisibility());
    const found = new Set<string>();
    for (const grid of root?.querySelectorAll<HTMLElement>('.kq-grid[data-vital]') ?? []) {
      // A list within a part of a page, or beside a tree, is not what the page is about.
      if (!grid.checkVisibility() || grid.clientWidth < window.innerWidth * 0.7) continue;
      const heads = [...grid.querySelectorAll<HTMLElement>('.kq-grid-head [data-column]')];
      const at = (head: HTMLElement) => head.getBoundingClientRect();
      const rights = heads.filter((head) => head.classList.contains('kq-td-right')).map((head) => at(head).left);
      const end = Math.min(grid.getBoundingClientRect().left + grid.clientWidth, ...rights);
      const fixed = heads.filter((head) => head.matches('.kq-td-right, .kq-td-left')).reduce((sum, head) => sum + at(head).width, 0);
      if (fixed > grid.clientWidth / 4) found.add(`fixed columns take ${Math.round((fixed / grid.clientWidth) * 100)} %`);
      for (const key of grid.dataset['vital']!.split(' ').filter(Boolean)) {
        const head = heads.find(({ dataset }) => dataset['column'] === key);
        if (!head) found.add(`${key} is out of sight`);
        else if (!head.classList.contains('kq-td-right') && at(head).right > end + 1)
          found.add(`${head.innerText.trim()} (${key}) is out of sight`);
        // What stands beside a state explains it, and is whole on hover.
        if (head?.classList.contains('kq-td-right')) continue;
        const cut = [...grid.querySelectorAll<HTMLElement>(`[role=cell][data-column="${key}"]`)].find((cell) =>
          [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
            (one) => getComputedStyle(one).overflowX === 'hidden' && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1,
          ),
        );
        if (cut) found.add(`${head?.innerText.trim()} (${key}) is cut: ${cut.innerText.slice(0, 40)}`);
      }
    }
    return [...found];
  });

/** Screens of the head room: most pixels before the first row, and rows that have room; the second is the first at 125 %. */
const ROOMS = [
  { width: 1440, height: 900, head: 240, rows: 10 },
  { width: 1152, height: 720, head: 720, rows: 10 },
];

/** Of the first list that the page is about: what stands before its rows takes too much of the screen, or leaves too few in sight. */
const crowded = (page: Page, { head, rows }: { head: number; rows: number }) =>
  page.evaluate(
    ({ head, rows }) => {
      const root = [...document.querySelectorAll<HTMLElement>('.kq-page:not([data-left])')].find((one) => one.checkVisibility());
      const grid = [...(root?.querySelectorAll<HTMLElement>('.kq-grid[data-vital]') ?? [])].find(
        (one) => one.checkVisibility() && one.clientWidth > window.innerWidth * 0.7,
      );
      // A list within a section, or one of a few rows, is a part of what the page is about.
      if (!grid?.matches('.kq-table-fill > *') || grid.closest('section') !== root) return [];
      const heads = grid.querySelector('.kq-grid-head')!.getBoundingClientRect();
      const end = Math.min(grid.getBoundingClientRect().top + grid.clientHeight, window.innerHeight);
      const seen = Math.floor((end - heads.bottom + 1) / 35);
      return [
        ...(heads.bottom > head ? [`${Math.round(heads.bottom)} px before the first row`] : []),
        ...(seen < rows ? [`${seen} rows in sight`] : []),
      ];
    },
    { head, rows },
  );

const routes = makeRoutes()
  .map(([route, , , domain]) => ({ route: route!, domain: domain! }))
  .filter(({ route }) => !OUTSIDE.has(route) && !route.includes(':'));

/** Domains that are walked within one signed-in page. */
const TOGETHER = 5;
const domains = [...Map.groupBy(routes, (page) => page.domain)];
const walks = domains.flatMap((_domain, at) => (at % TOGETHER === 0 ? [domains.slice(at, at + TOGETHER)] : []));

/** A list takes another width without asking anybody: it stands in the frame after the next. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));

for (const walked of walks)
  journey(
    `the lists of ${walked.map(([domain]) => domain).join(', ')} show what they are about at 1280 and at 1440`,
    async ({ page, enter }) => {
      await enter('admin', '/userManagement');
      await page.getByRole('navigation', { name: '主菜单' }).waitFor();
      const walk = walkOn(page);
      const faults: string[] = [];
      for (const { route } of walked.flatMap(([, pages]) => pages)) {
        await walk.visit(route);
        const parts = await walk.parts();
        for (let part = 0; part < Math.max(1, parts.length); part += 1) {
          if (part > 0) await walk.openPart(part);
          for (const screen of SCREENS) {
            await page.setViewportSize(screen);
            await drawn(page);
            for (const fault of await unseen(page)) faults.push(`${route} ${part > 0 ? parts[part] : ''} ${screen.width}: ${fault}`);
          }
          for (const room of ROOMS) {
            await page.setViewportSize(room);
            await drawn(page);
            for (const fault of await crowded(page, room)) faults.push(`${route} ${part > 0 ? parts[part] : ''} ${room.width}: ${fault}`);
          }
        }
      }
      expect(faults.join('\n')).toBe('');
    },
  );
