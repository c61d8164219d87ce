import type { Found } from '../keyboard/finders.ts';
import { useScopes } from '../keyboard/keys.ts';

/** What stands in fields, rows and tabs is no act of the page. */
const NO_ACTS = '.kq-search, .kq-grid, .ant-tabs, .ant-pagination, form, [role=menu]';
const LONGEST = 12;

/** Buttons of the page, or of what is open over it, that can be used now. */
function buttons(): Found[] {
  const page = [...document.querySelectorAll<HTMLElement>('.kq-page')].find((one) => one.checkVisibility());
  const over = [...(page?.querySelectorAll<HTMLElement>('.kq-page-layers [role=dialog]') ?? [])].findLast((one) => one.checkVisibility());
  const found = new Map<string, Found>();
  for (const button of (over ?? page)?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? []) {
    const title = (button.innerText || button.ariaLabel || '').trim();
    if (!title || title.length > LONGEST || found.has(title) || !button.checkVisibility() || button.closest(NO_ACTS)) continue;
    if (!/\p{Script=Han}/u.test(title)) continue;
    found.set(title, { key: `button ${title}`, title, trail: '本页操作', act: () => button.click() });
  }
  return [...found.values()];
}

/** They open what one is in already, or the help. */
const OF_THE_SHELL = new Set(['Ctrl+K', '?']);

/** Shortcuts that work where one stands. */
function shortcuts(): Found[] {
  const { scopes } = useScopes.getState();
  return scopes
    .slice(
      Math.max(
        scopes.findLastIndex(({ exclusive }) => exclusive),
        0,
      ),
    )
    .toReversed()
    .flatMap(({ shortcuts: own }) => own)
    .filter(({ keys }) => !OF_THE_SHELL.has(keys))
    .map(({ keys, label, act }) => ({ key: `keys ${keys}`, title: label, trail: `快捷键 ${keys}`, act }));
}

/** What an act opens comes after the finder has gone. */
const later = (one: Found): Found => ({ ...one, act: () => setTimeout(one.act) });

/** Acts of the page as it stands before the finder opens. */
export const pageCommands = (): readonly Found[] => {
  const own = buttons();
  const names = new Set(own.map(({ title }) => title));
  return [...own, ...shortcuts().filter(({ title }) => !names.has(title))].map(later);
};
