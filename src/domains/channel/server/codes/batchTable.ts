import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { query } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { exportQrBatchList, queryQrBatchList, type BatchRow } from '../../contract/calls/codes.ts';
import { batchModes } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { batchStates } from '../../contract/states.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof queryQrBatchList>, 'pageNo' | 'pageSize'>;

function batchQuery(db: Db, viewer: Viewer, filter: Filter) {
  let query = own(db).selectFrom('channelQrBatch as b').innerJoin('channelChannel as c', 'c.id', 'b.channelId').where(seesChannel(viewer));
  if (filter.id) query = query.where('b.id', '=', filter.id);
  if (filter.batchNo) query = query.where('b.batchNo', 'like', like(filter.batchNo.toUpperCase()));
  if (filter.name) query = query.where('b.name', 'like', like(filter.name));
  if (filter.channelId) query = query.where('b.channelId', '=', filter.channelId);
  if (filter.state?.length) query = query.where('b.state', 'in', filter.state);
  return query;
}

/** Batches with how far they are and how many of their codes were scanned already. */
async function readBatches(
  query: ReturnType<typeof batchQuery>,
  now: Instant,
  page: { limit: number; offset: number },
): Promise<BatchRow[]> {
  const rows = await query
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
    ])
    .orderBy('b.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    failures: row.failures as BatchRow['failures'],
  }));
}

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

export const batchExport = exportSource({
  call: exportQrBatchList,
  title: '二维码批次',
  routeKey: 'commonQRcode',
  permission: channelPermissions['code.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), batchQuery(db, staff, filter)),
  chunks: ({ db, staff, filter, now }) =>
    chunksDown((before, limit) => readBatches(batchQuery(db, staff, filter).where('b.id', '<', before), now, { limit, offset: 0 })),
});

export const listBatches = query(queryQrBatchList, async ({ pageNo, pageSize, ...filter }, ctx) => {
  const matching = batchQuery(ctx.db, ctx.staff, filter);
  return {
    rows: await readBatches(matching, ctx.now, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }),
    total: await totalUpTo(own(ctx.db), matching),
  };
});
