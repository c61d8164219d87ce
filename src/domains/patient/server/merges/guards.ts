import { sql } from 'kysely';
import { platformErrors, refuse, type Refusal } from '#kernel/contract/errors.ts';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientMachine } from '../../contract/states.ts';
import { own, type PatientRecord } from '../database.ts';
import { scoreOf } from '../persons/duplicates.ts';

const RECENT = days(30);

export interface Pair {
  from: PatientRecord;
  into: PatientRecord;
}

/** Why these two may not be merged now; null when they may. */
export function faultOf(fromId: string, intoId: string, pair: Pair): Refusal | null {
  const { from, into } = pair;
  if (into.state === 'MERGED') return refuse(patientErrors.MERGE_TARGET_MERGED);
  if (fromId === intoId) return refuse(patientErrors.MERGE_SELF);
  for (const one of [from, into])
    if (one.state !== 'ACTIVE')
      return refuse(platformErrors.WRONG_STATE, { state: `${one.patientNo}${patientMachine.states[one.state].label}` });
  const proven = from.realNameState === 'VERIFIED' && into.realNameState === 'VERIFIED';
  if (proven && (from.idType !== into.idType || from.idNoHash !== into.idNoHash)) return refuse(patientErrors.MERGE_IDS_DIFFER);
  return null;
}

export const evidenceOf = ({ from, into }: Pair): string[] => scoreOf(from, into).reasons;

/** Both rows as they stand. @throws Refusal SCM90040 */
export async function readPair(db: Db, fromId: string, intoId: string): Promise<Pair> {
  const rows = await own(db).selectFrom('patientPatient').selectAll().where('id', 'in', [fromId, intoId]).execute();
  const [from, into] = [rows.find(({ id }) => id === fromId), rows.find(({ id }) => id === intoId)];
  if (!from || !into) throw refuse(platformErrors.NOT_FOUND, { message: '患者不存在或已删除' });
  return { from, into };
}

/** Both rows, locked in the order of their ids. */
export async function lockPair(tx: Tx, fromId: string, intoId: string): Promise<Pair> {
  await sql`select id from patient_patient where id in (${fromId}, ${intoId}) order by id for update`.execute(tx);
  return readPair(tx, fromId, intoId);
}

/** Both have an account of their own that was used in the last 30 days. */
export async function bothRecent(db: Db, fromId: string, intoId: string, now: Instant): Promise<boolean> {
  const rows = await own(db)
    .selectFrom('patientAccountPerson as l')
    .innerJoin('patientAccount as a', 'a.operatorId', 'l.operatorId')
    .select('l.patientId')
    .distinct()
    .where('l.patientId', 'in', [fromId, intoId])
    .where('l.relation', '=', 'SELF')
    .where('l.removedAt', 'is', null)
    .where('a.lastLoginAt', '>', plusMs(now, -RECENT))
    .execute();
  return new Set(rows.map(({ patientId }) => patientId)).size === 2;
}
