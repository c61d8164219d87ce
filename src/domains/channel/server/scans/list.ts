import { sql, type SqlBool } from 'kysely';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db, ProcedureContext } from '../../../../kernel/server/context.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import type { Handler } from '../../../../kernel/server/handler.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportExcel, type queryScanList, type ScanRow } from '../../contract/calls/codes.ts';
import { conversionKinds, scanClients, scanResults } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own } from '../database.ts';

type ScanFilter = Omit<CheckedInputOf<typeof queryScanList>, 'pageNo' | 'pageSize'>;

/** Scans of codes that somebody sees; those of unknown codes belong to nobody and show to whoever is not restricted. */
export function scanQuery(db: Db, viewer: Viewer, filter: ScanFilter) {
  const { channel, region, insurer, own: mine } = viewer.scope;
  const restricted = channel !== null || region !== null || insurer !== null || mine;
  let query = own(db)
    .selectFrom('channelQrScan as s')
    .leftJoin('channelQrCode as q', 'q.id', 's.codeId')
    .leftJoin('channelChannel as c', 'c.id', 's.channelId')
    .where(restricted ? seesChannel(viewer) : sql<SqlBool>`true`);
  if (filter.codeIds?.length) query = query.where('s.codeId', 'in', filter.codeIds);
  if (filter.channelId) query = query.where('s.channelId', '=', filter.channelId);
  if (filter.token) query = query.where('s.token', '=', filter.token.toUpperCase());
  if (filter.from) query = query.where('s.at', '>=', filter.from);
  if (filter.to) query = query.where('s.at', '<=', filter.to);
  if (filter.result?.length) query = query.where('s.result', 'in', filter.result);
  if (filter.client?.length) query = query.where('s.client', 'in', filter.client);
  return query;
}

export async function readScans(query: ReturnType<typeof scanQuery>, page: { limit: number; offset: number }): Promise<ScanRow[]> {
  const rows = await query
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
    ])
    .orderBy('s.at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows;
}

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

const scanColumns: readonly ExportColumn<Line>[] = [
  { key: 'at', label: '时间', kind: 'instant', value: (row) => row.at },
  { key: 'token', label: '码值', value: (row) => row.token },
  { key: 'visitor', label: '访客', value: (row) => row.visitor },
  { key: 'client', label: '客户端', dictionary: scanClients, value: (row) => row.client },
  { key: 'os', label: '系统', value: (row) => row.os },
  { key: 'result', label: '结果', dictionary: scanResults, value: (row) => row.result },
  { key: 'conversions', label: '转化', value: (row) => row.conversions?.map((kind) => conversionKinds.label(kind)).join('、') },
];
const shared: readonly ExportColumn<Line>[] = [
  { key: 'codeName', label: '名称', value: (row) => row.codeName },
  { key: 'channelName', label: '渠道', value: (row) => row.channelName },
];
const statColumns: readonly ExportColumn<Line>[] = [
  { key: 'day', label: '日期', kind: 'day', value: (row) => row.day },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'newUv', label: '新访客', kind: 'int', value: (row) => row.newUv },
  { key: 'registered', label: '注册', kind: 'int', value: (row) => row.registered },
  { key: 'orders', label: '订单', kind: 'int', value: (row) => row.orders },
  { key: 'payFen', label: '支付金额（元）', kind: 'money', value: (row) => row.payFen },
];
const CHUNK = 1_000;

function statQuery(db: Db, viewer: Viewer, filter: ScanFilter) {
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

export const scanExport = exportSource({
  call: exportExcel,
  title: '扫码数据',
  routeKey: 'commonQRcode',
  permission: channelPermissions['code.export'].code,
  columns: [...scanColumns, ...shared, ...statColumns],
  describe: ({ type }) => (type === 'STAT' ? '按日统计' : '扫码明细'),
  count: ({ db, staff, filter }) =>
    filter.type === 'STAT' ? totalUpTo(own(db), statQuery(db, staff, filter)) : totalUpTo(own(db), scanQuery(db, staff, filter)),
  async *chunks({ db, staff, filter }): AsyncGenerator<readonly Line[]> {
    for (let offset = 0; ; offset += CHUNK) {
      const rows: Line[] =
        filter.type === 'STAT'
          ? await statQuery(db, staff, filter)
              .select([
                'd.day',
                'q.name as codeName',
                'c.name as channelName',
                'd.pv',
                'd.uv',
                'd.newUv',
                'd.registered',
                'd.orders',
                'd.payFen',
              ])
              .orderBy('d.day', 'desc')
              .orderBy('d.codeId')
              .limit(CHUNK)
              .offset(offset)
              .execute()
          : await readScans(scanQuery(db, staff, filter), { limit: CHUNK, offset });
      if (rows.length === 0) return;
      yield rows;
    }
  },
});

/** One call for both tables: without chosen columns, those of its kind. */
export function scanExportHandler(kernel: Kernel): Handler {
  const inner = exportHandler(scanExport, kernel);
  if (inner.mode !== 'procedure') throw new Error('an export is a procedure');
  return {
    ...inner,
    run(input: unknown, ctx: ProcedureContext) {
      const choice = input as CheckedInputOf<typeof exportExcel>;
      const columns =
        choice.columns ??
        (choice.type === 'STAT'
          ? [...statColumns.slice(0, 1), ...shared, ...statColumns.slice(1)]
          : [...scanColumns.slice(0, 2), ...shared, ...scanColumns.slice(2)]
        ).map(({ key }) => key);
      return inner.run({ ...choice, columns }, ctx);
    },
  };
}
