import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { findByCertificates, idNoHash, labels, personsByMobile, seesPersonOf, type Seer } from '#domains/patient/server/index.ts';

interface Identity {
  idNo: string | null;
  mobile: string | null;
}
export interface MatchedPerson {
  patientId: string;
  patientNo: string;
  name: string;
  mobile: string | null;
  by: 'CERTIFICATE' | 'MOBILE';
}

/** Records that somebody may see whose certificate or mobile it is, whose certificate it is first. */
export async function personsOf(
  kernel: Pick<Kernel, 'secrets'>,
  db: Db | Tx,
  { idNo, mobile }: Identity,
  seer: { staff: Seer; now: Instant },
): Promise<MatchedPerson[]> {
  const byCertificate =
    idNo === null ? [] : [...(await findByCertificates(db, [{ idType: 'ID', idNoHash: idNoHash(kernel.secrets, idNo) }])).values()];
  const byMobile = mobile === null ? [] : await personsByMobile(kernel, db, mobile);
  const all = [...new Set([...byCertificate, ...byMobile])];
  if (all.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select asked.id::text as id
      from unnest(${all}::bigint[]) as asked (id)
      where ${seesPersonOf('asked.id', seer.staff, seer.now)}`.execute(db);
  const seen = new Set(rows.map(({ id }) => id));
  const known = (
    await labels(
      db,
      all.filter((id) => seen.has(id)),
    )
  ).filter(({ state }) => state === 'ACTIVE');
  const found = new Map<string, MatchedPerson>();
  for (const by of ['CERTIFICATE', 'MOBILE'] as const)
    for (const { patientId, canonicalId, patientNo, name, mobileMasked } of known)
      if ((by === 'CERTIFICATE' ? byCertificate : byMobile).includes(patientId) && !found.has(canonicalId))
        found.set(canonicalId, { patientId: canonicalId, patientNo, name: mask('name', name), mobile: mobileMasked, by });
  return [...found.values()];
}
