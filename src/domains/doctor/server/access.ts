import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { scopeFilter, scopedResource } from '../../../kernel/server/auth/scope.ts';
import type { Viewer } from '../../../kernel/server/auth/viewer.ts';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import { own, ownTx, type DoctorDb } from './database.ts';

/** What is the same for everybody: the catalogue of services, its configuration. */
export const unscoped = scopedResource({ region: 'free', insurer: 'free', channel: 'free', own: 'free' });

const dimensions = scopedResource({ region: { column: 'd.adcode' }, insurer: 'free', channel: { column: 'd.channel_id' }, own: 'free' });

/** What somebody sees of doctors (alias `d`) and of what hangs on one: region, channel of the live attribution, own = bound as assistant or entered. */
export function seesDoctor(viewer: Viewer): RawBuilder<SqlBool> {
  const mine = viewer.scope.own
    ? sql<SqlBool>`(d.created_by = ${viewer.userId} or exists (select 1 from doctor_assistant_bind b join doctor_assistant a on a.id = b.assistant_id
        where b.doctor_id = d.id and b.ended_at is null and a.user_id = ${viewer.userId}))`
    : sql<SqlBool>`true`;
  return sql<SqlBool>`(${scopeFilter(dimensions, viewer)} and ${mine})`;
}

export const doctorsSeen = (db: DoctorDb, viewer: Viewer) => db.selectFrom('doctorDoctor as d').where(seesDoctor(viewer));

const missing = () => refuse(platformErrors.NOT_FOUND, { message: '医生不存在或已删除' });

export async function accessDoctor(db: Db, viewer: Viewer, id: string) {
  const row = await doctorsSeen(own(db), viewer).selectAll('d').where('d.id', '=', id).executeTakeFirst();
  if (!row) throw missing();
  return row;
}
export type DoctorRecord = Awaited<ReturnType<typeof accessDoctor>>;

/** Locked until the transaction ends. */
export async function lockDoctor(tx: Tx, viewer: Viewer, id: string): Promise<DoctorRecord> {
  const row = await doctorsSeen(ownTx(tx), viewer).selectAll('d').where('d.id', '=', id).forUpdate('d').executeTakeFirst();
  if (!row) throw missing();
  return row;
}
