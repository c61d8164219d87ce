import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { from, isNumber, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { exportQrCodeList, queryCommonQrCodeList, type CodeRow } from '../../contract/calls/codes.ts';
import { codeKinds, targetTypes } from '../../contract/dictionaries.ts';
import { codeStates } from '../../contract/states.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { linkOf } from './target.ts';

const codes = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelQrCode as q')
    .innerJoin('channelChannel as c', 'c.id', 'q.channelId')
    .leftJoin('channelQrBatch as b', 'b.id', 'q.batchId')
    .where(seesChannel(viewer));

const selected = (rows: ReturnType<typeof codes>) =>
  rows.select([
    'q.id',
    'q.token',
    'q.kind',
    'q.name',
    'q.channelId',
    'c.name as channelName',
    'c.state as channelState',
    'q.batchId',
    'b.batchNo',
    'q.seqInBatch',
    'q.target',
    'q.targetType',
    'q.params',
    'q.style',
    'q.validFrom',
    'q.validTo',
    'q.scanLimit',
    'q.state',
    'q.okCount',
    'q.pv',
    'q.uv',
    'q.lastScanAt',
    'q.version',
    'q.createdAt',
  ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;
const present = (kernel: Pick<Kernel, 'config'>, row: Selected): CodeRow => ({
  ...row,
  kind: row.kind as CodeRow['kind'],
  targetType: row.targetType as CodeRow['targetType'],
  state: row.state as CodeRow['state'],
  params: row.params as Record<string, string>,
  link: linkOf(kernel, row.token),
});

/** One code; undefined where somebody does not see it. */
export async function readCode(kernel: Pick<Kernel, 'config'>, db: Db, viewer: Viewer, id: string): Promise<CodeRow | undefined> {
  const row = await selected(codes(db, viewer)).where('q.id', '=', id).executeTakeFirst();
  return row && present(kernel, row);
}

/** @param kernel says under which address codes are reached */
export const codeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(queryCommonQrCodeList)
    .from(({ db, staff }) => codes(db, staff))
    .with({
      where: {
        kind: 'q.kind',
        name: (eb, text) => eb('q.name', 'like', like(text)),
        token: (eb, token) => eb('q.token', 'like', `${token.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')}%`),
        batchNo: isNumber('b.batchNo'),
        channelId: (_eb, channelId) => sql<SqlBool>`c.path @> array[${channelId}::bigint]`,
        targetType: 'q.targetType',
        state: 'q.state',
        scannedFrom: from('q.lastScanAt'),
        scannedTo: upTo('q.lastScanAt'),
      },
      id: 'q.id',
      select: selected,
      present: (rows) => rows.map((row) => present(kernel, row)),
    });

const columns: readonly ExportColumn<CodeRow>[] = [
  { key: 'name', label: '名称', width: 30, value: (row) => row.name },
  { key: 'token', label: '码值', value: (row) => row.token },
  { key: 'link', label: '地址', width: 40, value: (row) => row.link },
  { key: 'kind', label: '类别', dictionary: codeKinds, value: (row) => row.kind },
  { key: 'batchNo', label: '批次', value: (row) => row.batchNo },
  { key: 'channelName', label: '渠道', value: (row) => row.channelName },
  { key: 'targetType', label: '目标', dictionary: targetTypes, value: (row) => row.targetType },
  { key: 'validFrom', label: '生效时间', kind: 'instant', value: (row) => row.validFrom },
  { key: 'validTo', label: '失效时间', kind: 'instant', value: (row) => row.validTo },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'lastScanAt', label: '最近扫码', kind: 'instant', value: (row) => row.lastScanAt },
  { key: 'state', label: '状态', dictionary: codeStates.dictionary, value: (row) => row.state },
];

export const codeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(codeList(kernel), { call: exportQrCodeList, title: '二维码', routeKey: 'commonQRcode', columns });
