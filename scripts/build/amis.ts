import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// The renderer of low-code pages, as it is: what a page loads of it, and nothing of its editors, players and viewers.
const FILES = ['rest.js', 'antd.css'];
const FONTS = 'thirds/@fortawesome/fontawesome-free/webfonts';

/** Where the browser finds the renderer; its release is part of the name, so that it may keep it for ever. */
export const AMIS_FOLDER = 'assets/amis-6.13.0-1';

/**
 * The renderer asks once, while it loads, whether programs may be made of texts. They may not, and asking is reported as a breach of the
 * frame's policy; so the copy knows the answer.
 */
const PROBE = `try{return new Function('import("")'),!0}catch(e){return!1}`;
function withoutProbe(text: string): string {
  const parts = text.split(PROBE);
  if (parts.length !== 2) throw new Error(`sdk.js of amis asks for eval at ${parts.length - 1} places; scripts/build/amis.ts knows one`);
  return parts.join('return!1');
}

/** Lays the renderer beside the built browser part. */
export function copyAmis(root: string, folder: string): void {
  const from = path.join(root, 'node_modules/amis/sdk');
  const to = path.join(folder, AMIS_FOLDER);
  mkdirSync(path.join(to, FONTS), { recursive: true });
  writeFileSync(path.join(to, 'sdk.js'), withoutProbe(readFileSync(path.join(from, 'sdk.js'), 'utf8')));
  for (const file of FILES) cpSync(path.join(from, file), path.join(to, file));
  for (const font of readdirSync(path.join(from, FONTS)).filter((name) => name.endsWith('.woff2')))
    cpSync(path.join(from, FONTS, font), path.join(to, FONTS, font));
}
