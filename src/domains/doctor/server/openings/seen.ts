import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Tx } from '#kernel/server/context.ts';
import { doctorsSeen } from '../access.ts';
import { own } from '../database.ts';

/** What a doctor sells is seen by whoever sees the doctor. @throws Refusal SCM90040 */
export async function requireSeenOpening(tx: Tx, viewer: Viewer, openingId: string): Promise<void> {
  const seen = await doctorsSeen(own(tx), viewer)
    .innerJoin('doctorServiceOpening as o', 'o.doctorId', 'd.id')
    .select('o.id')
    .where('o.id', '=', openingId)
    .executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND, { message: '服务不存在或已关闭' });
}
