import { createCanvas } from '@napi-rs/canvas';
import { openPdf } from '../inspect/pdf.ts';
import type { Picture } from './watermark.ts';

const SIDE = 1_600;
const LARGEST_SCALE = 3;

/** One page of a PDF as JPEG; null when there is no such page. */
export async function pdfPage(bytes: Buffer, page: number): Promise<Picture | null> {
  const { document, close } = await openPdf(bytes);
  try {
    if (page > document.numPages) return null;
    const sheet = await document.getPage(page);
    const natural = sheet.getViewport({ scale: 1 });
    const viewport = sheet.getViewport({ scale: Math.min(LARGEST_SCALE, SIDE / Math.max(natural.width, natural.height)) });
    const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    // pdf.js draws with the browser's context type; this one has the same methods.
    await sheet.render({ canvas: null, canvasContext: context as object as CanvasRenderingContext2D, viewport }).promise;
    return { bytes: canvas.toBuffer('image/jpeg', 85), width: canvas.width, height: canvas.height };
  } finally {
    await close();
  }
}
