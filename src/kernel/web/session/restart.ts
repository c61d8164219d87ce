import { clearStorage, keptPages, PAGES, type KeptPages } from './storage.ts';

/** Keeps the open pages over a reload and over the end of a session, not over a logout. A full storage keeps nothing. */
export function keepPages(pages: KeptPages): void {
  try {
    sessionStorage.setItem(PAGES, JSON.stringify(pages));
  } catch {
    sessionStorage.removeItem(PAGES);
  }
}

/** Keeps what was open when the session ended: the next login of the same person leads back to it. No record's name waits for him. */
export function keepEnded(kept: KeptPages | undefined): void {
  if (!kept) return;
  const pages = kept.pages.map(({ title, ...page }) => ({ ...page, ...(title && !page.ofRecord && { title }) }));
  keepPages({ ...kept, ended: true, pages });
}

/**
 * The dialog's single button: to /login with empty local storage and a fresh page. The same person finds the open pages again in this tab
 * of the browser.
 */
export function restartAtLogin(): void {
  const kept = keptPages();
  clearStorage();
  keepEnded(kept);
  location.replace('/login');
}
