import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Viewer } from '../../../../kernel/server/auth/viewer.ts';
import { seesDoctor } from '../access.ts';
import { ownTx, type DoctorDb } from '../database.ts';
import type { QualPayload } from './payload.ts';

/** An application is seen by who sees its doctor. */
export const appliesSeen = (db: DoctorDb, viewer: Viewer) =>
  db.selectFrom('doctorQualApply as q').innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId').where(seesDoctor(viewer));

export const noApply = () => refuse(platformErrors.NOT_FOUND, { message: '资质审核单不存在或已删除' });

/** Locked until the transaction ends, and the doctor with it. */
export async function lockApply(tx: Tx, viewer: Viewer, id: string) {
  const row = await appliesSeen(ownTx(tx), viewer).selectAll('q').where('q.id', '=', id).forUpdate(['d', 'q']).executeTakeFirst();
  if (!row) throw noApply();
  return { ...row, payload: row.payload as QualPayload };
}
export type ApplyRecord = Awaited<ReturnType<typeof lockApply>>;
