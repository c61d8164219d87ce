import { sql } from 'kysely';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportQrBatchList, queryQrBatchList, type BatchRow } from '../../contract/calls/codes.ts';
import { seesChannel } from '../access.ts';
import { holds, holdsNumber, own } from '../database.ts';

/** Batches with how far they are and how many of their codes were scanned already. */
export const batchList = listOf(queryQrBatchList)
  .from(({ db, staff }) =>
    own(db).selectFrom('channelQrBatch as b').innerJoin('channelChannel as c', 'c.id', 'b.channelId').where(seesChannel(staff)),
  )
  .with({
    where: { id: 'b.id', batchNo: holdsNumber('b.batchNo'), name: holds('b.name'), channelId: 'b.channelId', state: 'b.state' },
    id: 'b.id',
    sorts: {
      batchNo: 'b.batchNo',
      quantity: 'b.quantity',
      done: 'b.done',
      failed: 'b.failed',
      createdAt: 'b.createdAt',
    },
    bounded: 'batches of codes are ordered by hand: some hundreds a year',
    select: (query, { now }) =>
      query
        .select([
          'b.id',
          'b.batchNo',
          'b.name',
          'b.mode',
          'b.channelId',
          'c.name as channelName',
          'b.quantity',
          'b.done',
          'b.failed',
          'b.failures',
          'b.zipExpireAt',
          'b.state',
          'b.failReason',
          'b.version',
          'b.createdAt',
        ])
        .select([
          sql<number>`(select count(*)::int from channel_qr_code q where q.batch_id = b.id and q.ok_count > 0)`.as('scanned'),
          sql<boolean>`coalesce(b.zip_file_id is not null and b.zip_expire_at > ${now}::timestamptz, false)`.as('hasZip'),
          sql<string | null>`(select u.display_name from identity_staff_user u where u.id = b.created_by)`.as('createdName'),
        ]),
    present: (rows) =>
      rows.map((row) => ({
        ...row,
        failures: row.failures as BatchRow['failures'],
      })),
  });

export const batchExport = listExport(batchList, {
  call: exportQrBatchList,
  title: '二维码批次',
  routeKey: 'commonQRcode',
  columns: [
    'batchNo',
    'name',
    'mode',
    'channelName',
    'quantity',
    'done',
    'failed',
    'scanned',
    'zipExpireAt',
    'state',
    'failReason',
    'createdName',
    'createdAt',
  ],
});
