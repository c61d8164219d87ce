import type { Tx } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { LicenceOwner } from '../../contract/dictionaries.ts';
import type { StoreRecord } from '../access.ts';
import { ownTx } from '../database.ts';
import { withheldBy } from '../rules/licences.ts';
import type { NewLicence } from './changes.ts';

/** Writes a licence; the one of the same kind before it becomes 已替换. */
export async function putLicence(
  tx: Tx,
  owner: { type: LicenceOwner; id: string },
  licence: NewLicence,
  stamp: { now: Instant; userId: string | null },
): Promise<string> {
  const own = ownTx(tx);
  await own
    .updateTable('institutionLicence')
    .set((eb) => ({ state: 'REPLACED', version: eb('version', '+', 1), ...updatedColumns(stamp) }))
    .where('ownerType', '=', owner.type)
    .where('ownerId', '=', owner.id)
    .where('licenceType', '=', licence.licenceType)
    .where('state', 'in', ['VALID', 'EXPIRED'])
    .execute();
  const { id } = await own
    .insertInto('institutionLicence')
    .values({
      ...licence,
      ownerType: owner.type,
      ownerId: owner.id,
      state: 'VALID',
      ...createdColumns(stamp),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Tags and capabilities that come back with a renewed licence, and what is still withheld. */
export function giveBack(store: Pick<StoreRecord, 'storeTags' | 'capabilities' | 'withheld'>, licenceType: string) {
  const { tags, capabilities } = withheldBy(licenceType);
  const back = (entry: string) => store.withheld.includes(entry);
  return {
    storeTags: [...new Set([...store.storeTags, ...tags.filter((tag) => back(`tag:${tag}`))])],
    capabilities: [...new Set([...store.capabilities, ...capabilities.filter((capability) => back(`can:${capability}`))])],
    withheld: store.withheld.filter(
      (entry) => !tags.some((tag) => entry === `tag:${tag}`) && !capabilities.some((capability) => entry === `can:${capability}`),
    ),
  };
}
