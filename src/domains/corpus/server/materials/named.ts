import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { MOST_CYCLE_MATERIALS, MOST_MATERIALS } from '../../contract/scheduleCalls.ts';
import type { CorpusTx } from '../database.ts';

/** Materials that there are; each stands once. @throws Refusal SCM90020 */
async function requireKnown(tx: CorpusTx, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw refuseField('materialIds', '素材不能重复');
  if (ids.length === 0) return;
  const known = await tx.selectFrom('corpusMaterial').select('id').where('id', 'in', ids).forKeyShare().execute();
  if (known.length < ids.length) throw refuseField('materialIds', '素材不存在或已删除');
}

/** Those of a schedule item. @throws Refusal SCM11063, SCM90020 */
export async function requireItemMaterials(tx: CorpusTx, ids: readonly string[]): Promise<void> {
  if (ids.length > MOST_MATERIALS) throw refuse(corpusErrors.TOO_MANY_MATERIALS);
  await requireKnown(tx, ids);
}

/** Those of a cycle: all at once are no more than an item's. @throws Refusal SCM11063, SCM90020 */
export async function requireCycleMaterials(tx: CorpusTx, playMode: 'SAME' | 'ROTATE', ids: readonly string[]): Promise<void> {
  if (playMode === 'SAME' && ids.length > MOST_MATERIALS) throw refuse(corpusErrors.TOO_MANY_MATERIALS);
  if (ids.length > MOST_CYCLE_MATERIALS) throw refuseField('materialIds', `周期最多${MOST_CYCLE_MATERIALS}个素材`);
  await requireKnown(tx, ids);
}
