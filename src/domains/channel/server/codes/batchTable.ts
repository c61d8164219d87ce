import { sql } from 'kysely';
import { type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportQrBatchList, queryQrBatchList, type BatchRow } from '../../contract/calls/codes.ts';
import { batchModes } from '../../contract/dictionaries.ts';
import { batchStates } from '../../contract/states.ts';
import { seesChannel } from '../access.ts';
import { like, own } from '../database.ts';

/** Batches with how far they are and how many of their codes were scanned already. */
export const batchList = listOf(queryQrBatchList)
  .from(({ db, staff }) =>
    own(db).selectFrom('channelQrBatch as b').innerJoin('channelChannel as c', 'c.id', 'b.channelId').where(seesChannel(staff)),
  )
  .with({
    where: {
      id: 'b.id',
      batchNo: (eb, text) => eb('b.batchNo', 'like', like(text.toUpperCase())),
      name: (eb, text) => eb('b.name', 'like', like(text)),
      channelId: 'b.channelId',
      state: 'b.state',
    },
    id: 'b.id',
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
        mode: row.mode as BatchRow['mode'],
        state: row.state as BatchRow['state'],
        failures: row.failures as BatchRow['failures'],
      })),
  });

const columns: readonly ExportColumn<BatchRow>[] = [
  { key: 'batchNo', label: '批次号', value: (row) => row.batchNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'mode', label: '方式', dictionary: batchModes, value: (row) => row.mode },
  { key: 'channelName', label: '渠道', width: 30, value: (row) => row.channelName },
  { key: 'quantity', label: '数量', kind: 'int', value: (row) => row.quantity },
  { key: 'done', label: '已生成', kind: 'int', value: (row) => row.done },
  { key: 'failed', label: '失败', kind: 'int', value: (row) => row.failed },
  { key: 'scanned', label: '已扫码', kind: 'int', value: (row) => row.scanned },
  { key: 'zipExpireAt', label: '压缩包保留至', kind: 'instant', value: (row) => row.zipExpireAt },
  { key: 'state', label: '状态', dictionary: batchStates.dictionary, value: (row) => row.state },
  { key: 'failReason', label: '失败原因', value: (row) => row.failReason },
  { key: 'createdName', label: '创建人', value: (row) => row.createdName },
  { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt },
];

export const batchExport = listExport(batchList, { call: exportQrBatchList, title: '二维码批次', routeKey: 'commonQRcode', columns });
