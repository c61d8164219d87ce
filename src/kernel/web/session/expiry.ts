import { create } from 'zustand';
import { keys, storedToken } from './storage.ts';
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

/** Stores the token that the server renewed. */
export function rotateToken(token: string): void {
  localStorage.setItem(keys.authorization, token);
  useSession.setState({ sessionToken: token });
}
