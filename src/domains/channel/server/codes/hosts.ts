import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { command } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { queryCodeHostList, saveCodeHost } from '../../contract/calls/codes.ts';
import { codeHosts } from '../access.ts';
import { own, ownTx } from '../database.ts';

/** Hosts that codes may lead to. */
export const hostList = listOf(queryCodeHostList)
  .from(({ db }) => own(db).selectFrom('channelCodeHost as h'))
  .with({
    where: { host: (eb, host) => eb('h.host', 'like', containsPattern(host.toLowerCase())) },
    id: 'h.id',
    sorts: { host: 'h.host' },
    bounded: 'hosts that codes may lead to are some dozens',
    order: [['h.host', 'asc']],
    select: (query) =>
      query.select(['h.id', 'h.host', 'h.note', 'h.enabled', 'h.version']).select(
        sql<number>`(
            select count(*)::int
              from channel_qr_code q
              where q.state = 'ACTIVE' and (q.target->>'url' like 'https://' || h.host || '/%' or q.target->>'url' = 'https://' || h.host)
          )`.as('codes'),
      ),
    present: (rows) => rows,
  });

export const saveHost = command(saveCodeHost, async ({ id, version, host, note, enabled }, ctx) => {
  const tx = ownTx(ctx.tx);
  const twin = await tx.selectFrom('channelCodeHost').select('id').where('host', '=', host).executeTakeFirst();
  if (twin && twin.id !== id) throw refuseField('host', '该域名已在白名单中');
  ctx.changed([{ path: 'host', label: '域名', before: null, after: `${host}${enabled ? '' : '（停用）'}` }]);
  if (id === undefined) {
    const row = await tx
      .insertInto('channelCodeHost')
      .values({ host, note, enabled, ...authorColumns(ctx), updatedAt: ctx.now })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    ctx.target({ type: codeHosts.type, id: row.id, no: host });
    return row;
  }
  await codeHosts.lockVersion(ctx, id, version ?? null, (row) => row);
  ctx.target({ type: codeHosts.type, id, no: host });
  return tx
    .updateTable('channelCodeHost')
    .set((eb) => ({ host, note, enabled, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
});
