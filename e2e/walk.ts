import type { Locator, Page } from 'playwright-core';

/** Marks of what is still on its way. */
const LOADING = '.kq-loading, .kq-shell-skeleton, .ant-skeleton-active, [aria-busy=true], .im-skeleton';

/** Counts the calls of a page that are under way. */
function callsUnderWay(page: Page): () => number {
  const flying = new Set<unknown>();
  page.on('request', (request) => flying.add(request));
  page.on('requestfinished', (request) => flying.delete(request));
  page.on('requestfailed', (request) => flying.delete(request));
  return () => flying.size;
}

/** A page of the product that is walked through within one window, as by links. */
export interface Walk {
  /** Goes to an address and waits until everything there has been drawn. */
  visit(path: string): Promise<void>;
  /** Waits until nothing is on its way any longer. */
  settle(): Promise<void>;
  /** The page that is shown now, without the shell around it. */
  shown: Locator;
  /** Names of the page's own tabs. */
  parts(): Promise<string[]>;
  /** Opens a tab of the page by its place. */
  openPart(index: number): Promise<void>;
}

export function walkOn(page: Page): Walk {
  const underWay = callsUnderWay(page);
  const shown = page.locator('.kq-page:not([data-left]):visible');
  const quiet = async () =>
    (await page.evaluate(
      (marks) =>
        // What a call brought is drawn two frames later; what it asks for in turn has been asked then.
        new Promise<boolean>((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() =>
              setTimeout(() =>
                resolve(
                  ![...document.querySelectorAll(marks)].some((one) => one.checkVisibility()) &&
                    ![...document.querySelectorAll('.kq-empty, .kq-muted, .im-none')].some(
                      (one) => one.checkVisibility() && one.textContent === '加载中…',
                    ),
                ),
              ),
            ),
          );
        }),
      LOADING,
    )) && underWay() === 0;
  const settle = async () => {
    for (let times = 0; times < 2; times += (await quiet()) ? 1 : -times);
  };
  const tabs = shown.locator('[role=tab]:visible');
  return {
    shown,
    settle,
    async visit(path) {
      // The page that is left may stand a moment longer.
      await page.evaluate((href) => {
        const left = [...document.querySelectorAll<HTMLElement>('.kq-page')].find((one) => one.checkVisibility());
        if (left && new URL(href, location.href).pathname !== location.pathname) left.dataset['left'] = 'true';
        history.pushState(null, '', href);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await shown.first().waitFor();
      await settle();
    },
    parts: () => tabs.allInnerTexts(),
    async openPart(index) {
      await tabs.nth(index).click();
      await settle();
    },
  };
}
