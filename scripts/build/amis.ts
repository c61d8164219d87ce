import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

// The renderer of low-code pages, as it is: what a page loads of it, and nothing of its editors, players and viewers.
const FILES = ['sdk.js', 'rest.js', 'antd.css'];
const FONTS = 'thirds/@fortawesome/fontawesome-free/webfonts';

/** Where the browser finds the renderer; its release is part of the name, so that it may keep it for ever. */
export const AMIS_FOLDER = 'assets/amis-6.13.0';

/** Lays the renderer beside the built browser part. */
export function copyAmis(root: string, folder: string): void {
  const from = path.join(root, 'node_modules/amis/sdk');
  const to = path.join(folder, AMIS_FOLDER);
  mkdirSync(path.join(to, FONTS), { recursive: true });
  for (const file of FILES) cpSync(path.join(from, file), path.join(to, file));
  for (const font of readdirSync(path.join(from, FONTS)).filter((name) => name.endsWith('.woff2')))
    cpSync(path.join(from, FONTS, font), path.join(to, FONTS, font));
}
