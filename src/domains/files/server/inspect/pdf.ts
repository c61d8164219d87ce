import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';

const MAX_PAGES = 300;
const PACKAGE = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
// pdf.js wants folders with their last slash.
const FONTS = join(PACKAGE, 'standard_fonts/');
const CMAPS = join(PACKAGE, 'cmaps/');

export interface OpenPdf {
  document: PDFDocumentProxy;
  close(): Promise<void>;
}

/** Opens a PDF with nothing in it being run. @throws pdf.js' own errors. */
export async function openPdf(bytes: Buffer): Promise<OpenPdf> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: new Uint8Array(bytes), // pdf.js takes the buffer away: give it a copy
    standardFontDataUrl: FONTS,
    cMapUrl: CMAPS,
    cMapPacked: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  return { document: await task.promise, close: () => task.destroy() };
}

/** `Catalog` entries and actions that run or carry something. */
const ACTIVE = /\/(?:JavaScript|JS|Launch|EmbeddedFile|RichMedia)\b/;

/** Page count, or the Chinese reason for which it is refused. */
export async function judgePdf(bytes: Buffer): Promise<{ pageCount: number } | { reason: string }> {
  let opened: OpenPdf;
  try {
    opened = await openPdf(bytes);
  } catch (error) {
    return { reason: error instanceof Error && error.name === 'PasswordException' ? '加密' : '损坏' };
  }
  const { document } = opened;
  try {
    // A file with an owner password alone opens, but says that it is encrypted.
    if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(bytes.toString('latin1'))) return { reason: '加密' };
    if (document.numPages > MAX_PAGES) return { reason: `超过${MAX_PAGES}页` };
    const [actions, attachments] = await Promise.all([document.getJSActions(), document.getAttachments()]);
    if (actions || attachments || ACTIVE.test(bytes.toString('latin1'))) return { reason: '包含脚本或嵌入文件' };
    return { pageCount: document.numPages };
  } finally {
    await opened.close();
  }
}
