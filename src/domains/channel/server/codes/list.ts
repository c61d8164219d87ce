import { sql, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { CodeRow, queryCommonQrCodeList } from '../../contract/calls/codes.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { linkOf } from './target.ts';

export type CodeFilter = Omit<CheckedInputOf<typeof queryCommonQrCodeList>, 'pageNo' | 'pageSize'> & { id?: string };

export function codeQuery(db: Db, viewer: Viewer, filter: CodeFilter) {
  let query = own(db)
    .selectFrom('channelQrCode as q')
    .innerJoin('channelChannel as c', 'c.id', 'q.channelId')
    .leftJoin('channelQrBatch as b', 'b.id', 'q.batchId')
    .where(seesChannel(viewer));
  if (filter.id) query = query.where('q.id', '=', filter.id);
  if (filter.kind) query = query.where('q.kind', '=', filter.kind);
  if (filter.name) query = query.where('q.name', 'like', like(filter.name));
  if (filter.token) query = query.where('q.token', 'like', `${filter.token.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')}%`);
  if (filter.batchNo) query = query.where('b.batchNo', '=', filter.batchNo.toUpperCase());
  if (filter.channelId) query = query.where(sql<SqlBool>`c.path @> array[${filter.channelId}::bigint]`);
  if (filter.targetType?.length) query = query.where('q.targetType', 'in', filter.targetType);
  if (filter.state?.length) query = query.where('q.state', 'in', filter.state);
  if (filter.scannedFrom) query = query.where('q.lastScanAt', '>=', filter.scannedFrom);
  if (filter.scannedTo) query = query.where('q.lastScanAt', '<=', filter.scannedTo);
  return query;
}

export async function readCodes(
  kernel: Pick<Kernel, 'config'>,
  query: ReturnType<typeof codeQuery>,
  page: { limit: number; offset: number },
): Promise<CodeRow[]> {
  const rows = await query
    .select([
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
    ])
    .orderBy('q.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
    params: row.params as Record<string, string>,
    link: linkOf(kernel, row.token),
  }));
}
