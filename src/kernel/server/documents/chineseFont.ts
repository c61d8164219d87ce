import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

const FILE = fileURLToPath(new URL('fonts/noto-sans-sc-400.woff2', import.meta.url));
/** The font of everything that is drawn: it comes with the program, so that pictures look alike on every machine. */
export const FAMILY = 'KangqiaoSans';

/** Makes the font known to this process or thread; call it before drawing text. */
export function useChineseFont(): void {
  if (!GlobalFonts.has(FAMILY)) GlobalFonts.registerFromPath(FILE, FAMILY);
}
