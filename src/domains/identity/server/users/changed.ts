import type { Writing } from '#kernel/server/context.ts';
import { userChanged } from '#events/identity.ts';

/** Tells the other domains who somebody is now. */
export const publishUserChanged = (
  writing: Writing,
  user: { id: string; opNo: string; displayName: string; state: string },
): Promise<void> =>
  writing.publish(userChanged, user.id, { userId: user.id, opNo: user.opNo, displayName: user.displayName, state: user.state });
