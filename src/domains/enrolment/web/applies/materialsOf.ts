import type { UploadedFile } from '#kernel/web/files/places.ts';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';

/** Uploads by their kind, as calls take them. */
export const materialsOf = (files: Partial<Record<MaterialType, readonly UploadedFile[]>>) =>
  materialTypes.codes.flatMap((materialType) => (files[materialType] ?? []).map(({ fileId }) => ({ materialType, fileId })));
