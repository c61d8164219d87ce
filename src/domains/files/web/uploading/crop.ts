/** Size of the place that a picture is for, in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}
/** Part of a picture, in its own pixels. */
export interface Part extends PictureSize {
  x: number;
  y: number;
}

const SLACK = 0.01;
/** On dense screens a picture is drawn at up to twice its size. */
const DENSE = 2;
const QUALITY = 0.92;
/** A lossless picture of a photograph becomes too large to show. */
const LOSSLESS_MOST = 2 * 1024 * 1024;

export const isPicture = (file: File): boolean => /^image\/(?:jpeg|png|webp)$/.test(file.type);

/** Whether a picture has the proportions of its place, so that nothing of it is cut away. */
export const fits = (picture: PictureSize, place: PictureSize): boolean =>
  Math.abs(picture.width / picture.height / (place.width / place.height) - 1) <= SLACK;

/** How large a part of a picture is drawn: as it is, but neither smaller than its place nor larger than dense screens show. */
export function drawnSize(part: PictureSize, place: PictureSize): PictureSize {
  const times = Math.min(DENSE, Math.max(1, part.width / place.width));
  return { width: Math.round(place.width * times), height: Math.round(place.height * times) };
}

/** Size of a picture; null: it is broken, which is the server's to say. */
export async function sizeOf(file: File): Promise<PictureSize | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const size = { width: bitmap.width, height: bitmap.height };
  bitmap.close();
  return size;
}

/** The part of a picture as a file of the size of its place. */
export async function cutOut(file: File, part: Part, place: PictureSize): Promise<File> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = drawnSize(part, place);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('图片无法裁剪，请换一张图片');
  const lossless = file.type === 'image/png';
  if (!lossless) {
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, width, height);
  }
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, width, height);
  bitmap.close();
  const exact = lossless ? await canvas.convertToBlob({ type: 'image/png' }) : null;
  const blob = exact && exact.size <= LOSSLESS_MOST ? exact : await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  const name = file.name.replace(/\.[^.]+$/, '');
  return new File([blob], `${name}.${blob.type === 'image/png' ? 'png' : 'jpg'}`, { type: blob.type });
}
