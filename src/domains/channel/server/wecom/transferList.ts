import { sql } from 'kysely';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { exportContactTransferList, queryContactTransferList, type TransferRow } from '../../contract/calls/liveCodes.ts';
import { transferReasons, transferStates } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import type { Viewer } from '../access.ts';
import { own } from '../database.ts';
import { contactQuery } from './contactList.ts';

/** Hand-overs of contacts that somebody sees. */
function transferQuery(db: Db, viewer: Viewer) {
  const all = own(db)
    .selectFrom('channelContactTransfer as x')
    .innerJoin('channelWecomMember as f', 'f.id', 'x.fromMemberId')
    .innerJoin('channelWecomMember as g', 'g.id', 'x.toMemberId');
  const { own: mine, channel, region, insurer } = viewer.scope;
  if (!mine && channel === null && region === null && insurer === null) return all;
  const seen = contactQuery(db, viewer, {}).innerJoin('channelContactTransferItem as i', 'i.contactId', 't.id').select('i.transferId');
  return all.where('x.id', 'in', seen);
}

async function readTransfers(query: ReturnType<typeof transferQuery>, page: { limit: number; offset: number }): Promise<TransferRow[]> {
  const rows = await query
    .select(['x.id', 'x.transferNo', 'f.name as fromName', 'g.name as toName', 'x.reason', 'x.createdAt'])
    .select([
      sql<
        TransferRow['counts'] | null
      >`(select jsonb_agg(jsonb_build_object('state', i.state, 'n', i.n)) from (select state, count(*)::int as n from channel_contact_transfer_item where transfer_id = x.id group by 1 order by 1) i)`.as(
        'counts',
      ),
      sql<string | null>`(select u.display_name from identity_staff_user u where u.id = x.created_by)`.as('createdName'),
    ])
    .orderBy('x.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, counts: row.counts ?? [] }));
}

const columns: readonly ExportColumn<TransferRow>[] = [
  { key: 'transferNo', label: '编号', value: (row) => row.transferNo },
  { key: 'fromName', label: '原成员', value: (row) => row.fromName },
  { key: 'toName', label: '接替成员', value: (row) => row.toName },
  { key: 'reason', label: '原因', dictionary: transferReasons, value: (row) => row.reason },
  {
    key: 'counts',
    label: '结果',
    width: 30,
    value: (row) => row.counts.map(({ state, n }) => `${transferStates.label(state)}${n}`).join('，'),
  },
  { key: 'createdName', label: '操作人', value: (row) => row.createdName },
  { key: 'createdAt', label: '时间', kind: 'instant', value: (row) => row.createdAt },
];

export const transferExport = exportSource({
  call: exportContactTransferList,
  title: '客户转接记录',
  routeKey: 'weChatWorkManagement',
  permission: channelPermissions['contact.export'].code,
  columns,
  count: ({ db, staff }) => totalUpTo(own(db), transferQuery(db, staff)),
  chunks: ({ db, staff }) =>
    chunksDown((before, limit) => readTransfers(transferQuery(db, staff).where('x.id', '<', before), { limit, offset: 0 })),
});

export const listTransfers = query(queryContactTransferList, async ({ pageNo, pageSize }, ctx) => {
  const matching = transferQuery(ctx.db, ctx.staff);
  return {
    rows: await readTransfers(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
    total: await totalUpTo(own(ctx.db), matching),
  };
});
