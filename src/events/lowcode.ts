import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const page = z.strictObject({
  pageId: z.string(),
  token: z.string(),
  versionNo: z.int(),
  manifest: z.array(z.strictObject({ datasetCode: z.string(), operations: z.array(z.string()) })),
});

export const pagePublished = event('lowcode.page.published', page);
export const pageTakenOffline = event('lowcode.page.takenOffline', page);
export const pageRemoved = event('lowcode.page.removed', page);
export const lowcodeEvents = [pagePublished, pageTakenOffline, pageRemoved];
