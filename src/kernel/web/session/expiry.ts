import { create } from 'zustand';
import { clearStorage, keepPages, keptPages, keys, storedToken } from './storage.ts';
import { useSession } from './store.ts';

/** Text of the one open expiry dialog; null while the session lives. */
export const useExpiry = create<{ message: string | null }>(() => ({ message: null }));

/** SCM90002 or SCM90009: the token goes at once, one dialog opens, later failures while it is open are silent. */
export function endSession(message: string): void {
  // Calls that were under way at a logout come back refused: there is no page left to notify.
  if (!storedToken() && useSession.getState().phase !== 'ready') return;
  localStorage.removeItem(keys.authorization);
  if (useExpiry.getState().message === null) useExpiry.setState({ message });
}

/**
 * The dialog's single button: to /login with empty local storage and a fresh page. The same person finds the open pages again in this tab
 * of the browser; no record's name waits for him.
 */
export function restartAtLogin(): void {
  const kept = keptPages();
  clearStorage();
  if (kept)
    keepPages({
      ...kept,
      ended: true,
      pages: kept.pages.map(({ title, ...page }) => ({ ...page, ...(title && !page.ofRecord && { title }) })),
    });
  location.replace('/login');
}

/** Stores the token that the server renewed. */
export function rotateToken(token: string): void {
  localStorage.setItem(keys.authorization, token);
  useSession.setState({ sessionToken: token });
}
