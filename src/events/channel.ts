import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

const idOrNull = z.nullable(z.string());

export const channelChanged = event(
  'channel.channel.changed',
  z.strictObject({
    channelId: z.string(),
    channelNo: z.string(),
    name: z.string(),
    channelType: z.string(),
    agentId: idOrNull,
    companyId: idOrNull,
    state: z.enum(['ENABLED', 'EXPIRED', 'DISABLED', 'DELETED']),
    /** Counted scans of the last 30 days. */
    scans30: z.int(),
  }),
);
export const vipChanged = event(
  'channel.vip.changed',
  z.strictObject({ vipId: z.string(), channelId: z.string(), level: z.string(), state: z.string() }),
);
/** A scan was bound to a person. */
export const codeScanned = event(
  'channel.code.scanned',
  z.strictObject({
    scanId: z.string(),
    codeId: z.string(),
    kind: z.string(),
    channelId: z.string(),
    agentId: idOrNull,
    sceneCodeId: idOrNull,
    sceneId: idOrNull,
    diseaseId: idOrNull,
    doctorId: idOrNull,
    itemId: idOrNull,
    patientId: idOrNull,
    patientOperatorId: idOrNull,
    deskSource: z.strictObject({ type: z.enum(['CHANNEL', 'SCENE_CODE', 'PRODUCT', 'DISEASE']), id: z.string() }),
    at: z.string(),
  }),
);
export const channelEvents = [channelChanged, vipChanged, codeScanned] as const;
