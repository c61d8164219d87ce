import { startsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportQrCodeList, queryCommonQrCodeList, type CodeRow } from '../../contract/calls/codes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { holds, own } from '../database.ts';
import { linkOf } from './target.ts';

const codesSeen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('channelQrCode as q')
    .innerJoin('channelChannel as c', 'c.id', 'q.channelId')
    .leftJoin('channelQrBatch as b', 'b.id', 'q.batchId')
    .where(seesChannel(viewer));

const selected = (query: ReturnType<typeof codesSeen>) =>
  query.select([
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
  params: row.params as Record<string, string>,
  link: linkOf(kernel, row.token),
});

export const codeList = (kernel: Pick<Kernel, 'config'>) =>
  listOf(queryCommonQrCodeList)
    .from(({ db, staff }) => codesSeen(db, staff))
    .with({
      where: {
        kind: 'q.kind',
        name: holds('q.name'),
        // From its beginning, also in the groups in which it is printed.
        token: (eb, token) => eb('q.token', 'like', startsPattern(token.toUpperCase().replaceAll(/[\s-]/g, ''))),
        batchNo: (eb, batchNo) => eb('b.batchNo', '=', batchNo.toUpperCase()),
        channelId: (_eb, id) => sql<boolean>`c.path @> array[${id}::bigint]`,
        targetType: 'q.targetType',
        state: 'q.state',
        scannedFrom: from('q.lastScanAt'),
        scannedTo: upTo('q.lastScanAt'),
      },
      id: 'q.id',
      unsorted: 'hundreds of thousands of codes, whose counters move with each scan: an index on them would slow every scan',
      select: selected,
      present: (rows) => rows.map((row) => present(kernel, row)),
    });

/** One code as the list shows it. */
export async function codeById(kernel: Pick<Kernel, 'config'>, db: Db, viewer: Viewer, id: string): Promise<CodeRow | null> {
  const row = await selected(codesSeen(db, viewer)).where('q.id', '=', id).executeTakeFirst();
  return row ? present(kernel, row) : null;
}

export const codeExport = (kernel: Pick<Kernel, 'config'>) =>
  listExport(codeList(kernel), {
    call: exportQrCodeList,
    title: '二维码',
    routeKey: 'commonQRcode',
    columns: [
      'name',
      'token',
      'link',
      'kind',
      'batchNo',
      'channelName',
      'targetType',
      'validFrom',
      'validTo',
      'pv',
      'uv',
      'lastScanAt',
      'state',
    ],
  });
