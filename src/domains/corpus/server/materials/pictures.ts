import { minutes, type Instant } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { signRead } from '#domains/files/server/index.ts';

/** Lists stay open for a while. */
const LIFE = minutes(30);

/** Address of a small picture for whoever sees the material that it belongs to. */
export const pictureUrl = (kernel: Kernel, fileId: string | null, now: Instant): string | null =>
  fileId === null ? null : signRead(kernel, { fileId, use: 'THUMB', original: false, sessionId: null, marks: null }, now, LIFE);
