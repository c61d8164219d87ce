import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

// Uncompressed on purpose: of a WOFF2 the library's PDF writer reads a glyph table that it has freed already, which ends the process
// (SIGSEGV) whenever the allocator has given the memory back.
const FILE = fileURLToPath(new URL('fonts/noto-sans-sc-400.ttf', import.meta.url));
/** The font of everything that is drawn: it comes with the program, so that pictures look alike on every machine. */
export const FAMILY = 'KangqiaoSans';

/** Makes the font known to this process or thread; call it before drawing text. */
export function useChineseFont(): void {
  if (!GlobalFonts.has(FAMILY)) GlobalFonts.registerFromPath(FILE, FAMILY);
}
