import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { everyone } from '../../../../kernel/server/auth/viewer.ts';
import { typeOf } from '../marks/objects.ts';

export interface Named {
  objectType: 'MEDICINE' | 'DOCTOR';
  objectId: string;
}

/** What the owner calls a thing that customers are offered. */
const offeredBy = { MEDICINE: 'medicine.onSale', DOCTOR: 'doctor.practiceOk' } as const;

/** Which things are there to be shown to customers: on sale, allowed to practise. */
export async function offeredOf(kernel: Kernel, db: Db | Tx, things: readonly Named[], now: Instant): Promise<(thing: Named) => boolean> {
  const offered = new Set<string>();
  for (const [code, some] of Map.groupBy(things, ({ objectType }) => objectType)) {
    const ids = [...new Set(some.map(({ objectId }) => objectId))];
    const type = typeOf(kernel, code);
    const known = new Set((await type.labels(db, everyone, ids, now)).map(({ id }) => id));
    const facts = (await type.rules?.facts(db, ids, [offeredBy[code]], now)) ?? [];
    const off = new Set(facts.filter(({ value }) => value === '0').map(({ id }) => id));
    for (const id of ids) if (known.has(id) && !off.has(id)) offered.add(`${code}:${id}`);
  }
  return ({ objectType, objectId }) => offered.has(`${objectType}:${objectId}`);
}
