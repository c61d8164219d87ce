import { sql } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportContactTransferList, queryContactTransferList, type TransferRow } from '../../contract/calls/liveCodes.ts';
import type { Viewer } from '../access.ts';
import { own } from '../database.ts';
import { contactsSeen } from './contactList.ts';

/** Hand-overs of contacts that somebody sees. */
function transfersSeen(db: Db, viewer: Viewer) {
  const all = own(db)
    .selectFrom('channelContactTransfer as x')
    .innerJoin('channelWecomMember as f', 'f.id', 'x.fromMemberId')
    .innerJoin('channelWecomMember as g', 'g.id', 'x.toMemberId');
  const { own: mine, channel, region, insurer } = viewer.scope;
  if (!mine && channel === null && region === null && insurer === null) return all;
  const seen = contactsSeen(db, viewer).innerJoin('channelContactTransferItem as i', 'i.contactId', 't.id').select('i.transferId');
  return all.where('x.id', 'in', seen);
}

export const transferList = listOf(queryContactTransferList)
  .from(({ db, staff }) => transfersSeen(db, staff))
  .with({
    where: {},
    id: 'x.id',
    sorts: { transferNo: 'x.transferNo', createdAt: 'x.createdAt' },
    bounded: 'contacts are handed over by hand: some hundreds a year',
    select: (query) =>
      query.select(['x.id', 'x.transferNo', 'f.name as fromName', 'g.name as toName', 'x.reason', 'x.createdAt']).select([
        sql<TransferRow['counts'] | null>`(
            select jsonb_agg(jsonb_build_object('state', i.state, 'n', i.n))
              from (select state, count(*)::int as n from channel_contact_transfer_item where transfer_id = x.id group by 1 order by 1) i
          )`.as('counts'),
        sql<string | null>`(select u.display_name from identity_staff_user u where u.id = x.created_by)`.as('createdName'),
      ]),
    present: (rows) => rows.map((row) => ({ ...row, counts: row.counts ?? [] })),
  });

export const transferExport = listExport(transferList, {
  call: exportContactTransferList,
  title: '客户转接记录',
  routeKey: 'weChatWorkManagement',
  columns: ['transferNo', 'fromName', 'toName', 'reason', 'counts', 'createdName', 'createdAt'],
});
