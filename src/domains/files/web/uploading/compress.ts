const SIDE = 2_400;
const QUALITY = 0.85;
const FROM_BYTES = 1024 * 1024;

/** A smaller copy of a large picture; other files, and pictures that would not become smaller, as they are. */
export async function compressed(file: File): Promise<File> {
  if (!/^image\/(?:jpeg|png|webp)$/.test(file.type) || file.size < FROM_BYTES) return file;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return file; // broken pictures are the server's to refuse
  const ratio = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * ratio), Math.round(bitmap.height * ratio));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  const blob = await canvas.convertToBlob({ type, quality: QUALITY });
  return blob.size < file.size
    ? new File([blob], type === 'image/jpeg' ? file.name.replace(/\.[^.]+$/, '.jpg') : file.name, { type })
    : file;
}
