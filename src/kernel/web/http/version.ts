import { create } from 'zustand';
import { webConfig } from '../config.ts';

/** Whether the server now serves a newer build than this page. */
export const useNewVersion = create<{ available: boolean }>(() => ({ available: false }));

/** Compares the build that the server names with the page's own. */
export function noteBuild(build: string | null | undefined): void {
  const own = webConfig().buildId;
  if (build && own && build !== own) useNewVersion.setState({ available: true });
}
