import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Instant } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { readFacts, signFacts } from '#kernel/server/storage/signedAddress.ts';

const PURPOSE = 'content.track';
const NONCE = 9;

const track = z.strictObject({ d: z.string(), v: z.string(), r: z.string(), t: z.string(), n: z.string() });

/** Somebody by a keyed hash: a person of a client, or an installation of which nobody knows whose it is. */
export const viewerKeyOf = (kernel: Kernel, who: string): string => kernel.secrets.blindIndex('content.viewer', who);

interface Track {
  deliveryId: string;
  viewer: string;
  /** Province; empty where nobody knows. */
  region: string;
  at: Instant;
}

/** Names what was shown to whom, so that what is told of it is told by who was shown it. */
export const signTrack = (kernel: Kernel, { deliveryId, viewer, region, at }: Track): string =>
  signFacts(kernel.secrets, PURPOSE, { d: deliveryId, v: viewer, r: region, t: at, n: randomBytes(NONCE).toString('base64url') });

export function readTrack(kernel: Kernel, trackId: string): Track | null {
  const read = track.safeParse(readFacts(kernel.secrets, PURPOSE, trackId));
  return read.success ? { deliveryId: read.data.d, viewer: read.data.v, region: read.data.r, at: read.data.t } : null;
}
