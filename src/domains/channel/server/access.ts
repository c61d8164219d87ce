import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import { scopeFilter, scopedResource } from '../../../kernel/server/auth/scope.ts';
import type { Db, Scope, Tx } from '../../../kernel/server/context.ts';
import { own, ownTx } from './database.ts';

export interface Viewer {
  userId: string;
  scope: Scope;
}

/** Jobs and events see everything. */
export const everything: Viewer = { userId: '0', scope: { own: false, region: null, insurer: null, channel: null } };

const rest = scopedResource({ region: { column: 'c.adcode' }, insurer: 'free', channel: 'free', own: { columns: ['c.created_by'] } });

/**
 * What somebody sees of channels (alias `c`) and of everything that hangs on one: a channel of his scope or one below it,
 * its region, and of insurers' channels those of his insurers.
 */
export function seesChannel({ userId, scope }: Viewer): RawBuilder<SqlBool> {
  const tree = scope.channel === null ? sql<SqlBool>`true` : sql<SqlBool>`c.path && ${[...scope.channel]}::bigint[]`;
  const insurer =
    scope.insurer === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(c.channel_type <> 'INSURER' or c.owner_id::text = any(${[...scope.insurer]}::text[]))`;
  return sql<SqlBool>`(${scopeFilter(rest, { userId, scope })} and ${tree} and ${insurer})`;
}

/**
 * What somebody sees of WeChat Work members (alias `m`): of his channels those who stand behind a live code or were added through
 * one; OWN means the member bound to the user.
 */
export function seesMember(viewer: Viewer): RawBuilder<SqlBool> {
  const { own: mine, channel, region, insurer } = viewer.scope;
  const bound = mine ? sql<SqlBool>`m.staff_user_id = ${viewer.userId}` : sql<SqlBool>`true`;
  if (channel === null && region === null && insurer === null) return bound;
  const within = seesChannel({ ...viewer, scope: { ...viewer.scope, own: false } });
  return sql<SqlBool>`(${bound} and (
    exists (select from channel_live_code_member b join channel_live_code l on l.id = b.live_code_id and l.state <> 'DELETED' join channel_channel c on c.id = l.channel_id
             where b.member_id = m.id and not b.removed and ${within})
    or exists (select from channel_wecom_contact t join channel_live_code l on l.id = t.live_code_id join channel_channel c on c.id = l.channel_id
                where t.member_id = m.id and ${within})))`;
}

const missing = () => refuse(platformErrors.NOT_FOUND);

/** One channel within the scope, locked until the transaction ends. */
export async function lockChannel(tx: Tx, viewer: Viewer, id: string) {
  await sql`select id from channel_channel c where id = ${id} and ${seesChannel(viewer)} for update`.execute(tx);
  return accessChannel(tx, viewer, id);
}

export async function accessChannel(db: Db, viewer: Viewer, id: string) {
  const row = await own(db)
    .selectFrom('channelChannel as c')
    .selectAll()
    .where('c.id', '=', id)
    .where(seesChannel(viewer))
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

export async function lockCode(tx: Tx, viewer: Viewer, id: string) {
  const row = await ownTx(tx)
    .selectFrom('channelQrCode as q')
    .innerJoin('channelChannel as c', 'c.id', 'q.channelId')
    .selectAll('q')
    .where('q.id', '=', id)
    .where(seesChannel(viewer))
    .forUpdate('q')
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

export async function lockVip(tx: Tx, viewer: Viewer, id: string) {
  const row = await ownTx(tx)
    .selectFrom('channelVip as v')
    .innerJoin('channelChannel as c', 'c.id', 'v.channelId')
    .selectAll('v')
    .where('v.id', '=', id)
    .where(seesChannel(viewer))
    .forUpdate('v')
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

export async function lockBatch(tx: Tx, viewer: Viewer, id: string) {
  const row = await ownTx(tx)
    .selectFrom('channelQrBatch as b')
    .innerJoin('channelChannel as c', 'c.id', 'b.channelId')
    .selectAll('b')
    .where('b.id', '=', id)
    .where(seesChannel(viewer))
    .forUpdate('b')
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

export async function lockSceneCode(tx: Tx, viewer: Viewer, id: string) {
  const row = await ownTx(tx)
    .selectFrom('channelSceneCode as s')
    .innerJoin('channelChannel as c', 'c.id', 's.channelId')
    .selectAll('s')
    .where('s.id', '=', id)
    .where(seesChannel(viewer))
    .forUpdate('s')
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}
