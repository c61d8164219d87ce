import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { factsOf } from '#kernel/contract/field.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { exportSource, type ExportColumn } from '#kernel/server/exporting/source.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { askOf, exportColumn } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { rowsOf } from '#kernel/server/list/rowsOf.ts';
import { exportExcel, queryScanList, type ScanRow } from '../../contract/calls/codes.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own } from '../database.ts';

type ExportFilter = CheckedInputOf<typeof exportExcel>;

/** Scans of codes that somebody sees; those of unknown codes belong to nobody and show to whoever is not restricted. */
function scansSeen(db: Db, viewer: Viewer) {
  const { channel, region, insurer, own: mine } = viewer.scope;
  const restricted = channel !== null || region !== null || insurer !== null || mine;
  return own(db)
    .selectFrom('channelQrScan as s')
    .leftJoin('channelQrCode as q', 'q.id', 's.codeId')
    .leftJoin('channelChannel as c', 'c.id', 's.channelId')
    .where(restricted ? seesChannel(viewer) : sql<SqlBool>`true`);
}

export const scanList = listOf(queryScanList)
  .from(({ db, staff }) => scansSeen(db, staff))
  .with({
    where: {
      codeIds: 's.codeId',
      channelId: 's.channelId',
      token: (eb, token) => eb('s.token', '=', token.toUpperCase()),
      from: from('s.at'),
      to: upTo('s.at'),
      result: 's.result',
      client: 's.client',
    },
    order: [['s.at', 'desc']],
    id: 's.id',
    sorts: { at: 's.at' },
    select: (query) =>
      query
        .select([
          's.id',
          's.at',
          's.token',
          's.codeId',
          'q.name as codeName',
          'c.name as channelName',
          's.client',
          's.os',
          's.isNew',
          's.counted',
          's.result',
        ])
        .select([
          sql<string | null>`left(s.visitor_id, 8)`.as('visitor'),
          sql<string[]>`array(select v.kind from channel_scan_conversion v where v.scan_id = s.id order by v.id)`.as('conversions'),
        ]),
    present: (rows) => rows,
  });

/** A line of either kind of export; the columns of the other kind stay empty. */
type Line = Partial<ScanRow> & {
  day?: string;
  pv?: number;
  uv?: number;
  newUv?: number;
  registered?: number;
  orders?: number;
  payFen?: string;
};

const scanColumn = (key: keyof ScanRow & string) => exportColumn<Line>(key, factsOf(queryScanList.output, key));
const scanColumns = (['at', 'token', 'visitor', 'client', 'os', 'result', 'conversions'] as const).map(scanColumn);
const shared = (['codeName', 'channelName'] as const).map(scanColumn);
const statColumns: readonly ExportColumn<Line>[] = [
  { key: 'day', label: '日期', kind: 'day', value: (row) => row.day },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'newUv', label: '新访客', kind: 'int', value: (row) => row.newUv },
  { key: 'registered', label: '注册', kind: 'int', value: (row) => row.registered },
  { key: 'orders', label: '订单', kind: 'int', value: (row) => row.orders },
  { key: 'payFen', label: '支付金额（元）', kind: 'money', value: (row) => row.payFen },
];

function statQuery(db: Db, viewer: Viewer, filter: ExportFilter) {
  let query = own(db)
    .selectFrom('channelQrScanDaily as d')
    .innerJoin('channelQrCode as q', 'q.id', 'd.codeId')
    .innerJoin('channelChannel as c', 'c.id', 'd.channelId')
    .where(seesChannel(viewer));
  if (filter.codeIds?.length) query = query.where('d.codeId', 'in', filter.codeIds);
  if (filter.channelId) query = query.where('d.channelId', '=', filter.channelId);
  if (filter.from) query = query.where('d.day', '>=', dayOf(filter.from));
  if (filter.to) query = query.where('d.day', '<=', dayOf(filter.to));
  return query;
}

/** Rows of the list, or the sums of its codes by day. */
export const scanExport = exportSource({
  call: exportExcel,
  title: '扫码数据',
  routeKey: 'commonQRcode',
  permission: channelPermissions['code.export'].code,
  columns: [...scanColumns, ...shared, ...statColumns],
  // One call for both tables: without chosen columns, those of its kind.
  chosen: ({ type, columns }) => ({
    columns:
      columns ??
      (type === 'STAT'
        ? [...statColumns.slice(0, 1), ...shared, ...statColumns.slice(1)]
        : [...scanColumns.slice(0, 2), ...shared, ...scanColumns.slice(2)]
      ).map(({ key }) => key),
  }),
  describe: ({ type }) => (type === 'STAT' ? '按日统计' : '扫码明细'),
  async count(reading) {
    const { db, staff, filter } = reading;
    if (filter.type === 'SCAN') return scanList.count(askOf(reading));
    const { n } = await statQuery(db, staff, filter)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  },
  chunks(reading): AsyncIterable<readonly Line[]> {
    const { db, staff, filter } = reading;
    if (filter.type === 'SCAN') return scanList.rows(askOf(reading));
    return rowsOf(
      db,
      statQuery(db, staff, filter)
        .select(['d.day', 'q.name as codeName', 'c.name as channelName', 'd.pv', 'd.uv', 'd.newUv', 'd.registered', 'd.orders', 'd.payFen'])
        .orderBy('d.day', 'desc')
        .orderBy('d.codeId'),
    );
  },
});
