import type { OwnerRules, Reader } from '../../../files/server/index.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel } from '../access.ts';
import { own } from '../database.ts';

async function sees({ db, staff }: Reader, vipId: string): Promise<boolean> {
  if (!staff.permissions.has(channelPermissions['vip.view'].code)) return false;
  return Boolean(await own(db).selectFrom('channelVip as v').innerJoin('channelChannel as c', 'c.id', 'v.channelId').select('v.id').where('v.id', '=', vipId).where(seesChannel(staff)).executeTakeFirst());
}

/** Who reads the contracts of a VIP row: whoever sees the row. */
export const vipFiles: OwnerRules = { canRead: sees, canReadOriginal: sees };
