import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { checkAgainst } from '#kernel/contract/faults.ts';
import type { Db, Staff } from '#kernel/server/context.ts';
import { checkTable } from '#kernel/server/importing/checkTable.ts';
import { fault, textOf } from '#kernel/server/importing/rows.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow } from '#kernel/server/importing/importer.ts';
import { readTable } from '#kernel/server/importing/readTable.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryChannelList } from '../../contract/calls/channels.ts';
import { params as paramsSchema } from '../../contract/calls/codeFields.ts';
import { addQrCode } from '../../contract/calls/codes.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel } from '../access.ts';
import { own } from '../database.ts';

export interface ListItem {
  name: string;
  channelId: string;
  params: Record<string, string>;
}

const NAMED_FAULTS = 20;
/** `store=12;floor=1` in one cell. */
const paramsOf = (row: ParsedRow): Record<string, string> =>
  Object.fromEntries(
    textOf(row, 'params')
      .split(/[;；\n]/)
      .map((pair) => pair.trim())
      .filter(Boolean)
      .map((pair) => [pair.split('=')[0]!.trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
  );

/** Table of a 按清单 batch; read at once, because nothing is made when a row is wrong. */
// No `upsertImporter`: the table is read for its batch, nothing of it is written by itself.
const listTable: Importer = {
  code: 'channel.batchList',
  label: '二维码清单',
  templateVersion: '1',
  permission: channelPermissions['code.batch'].code,
  maxRows: 5_000,
  columns: importColumns({ ...addQrCode.input.shape, channelNo: queryChannelList.input.shape.channelNo }, [
    'name',
    'channelNo',
    // Pairs in one cell.
    { key: 'params', maxLength: 500, check: () => null },
  ]),
  validateRow: (row) => {
    const { faults } = checkAgainst(paramsSchema, paramsOf(row));
    return faults ? [fault(row, 'params', faults[0]?.message ?? '参数格式应为“名=值;名=值”')] : [];
  },
  async validateAll(rows, { db, staff }) {
    const known = new Set((await channelsOf(db, staff, rows)).keys());
    return rows
      .filter((row) => textOf(row, 'channelNo') && !known.has(textOf(row, 'channelNo')))
      .map((row) => fault(row, 'channelNo', '渠道不存在或已停用'));
  },
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  commitChunk: async () => new Map(),
};

async function channelsOf(db: Db, staff: Staff, rows: readonly ParsedRow[]): Promise<Map<string, string>> {
  const numbers = [...new Set(rows.map((row) => textOf(row, 'channelNo')).filter(Boolean))];
  if (numbers.length === 0) return new Map();
  const found = await own(db)
    .selectFrom('channelChannel as c')
    .select(['c.id', 'c.channelNo'])
    .where('c.channelNo', 'in', numbers)
    .where('c.state', '<>', 'DISABLED')
    .where(seesChannel(staff))
    .execute();
  return new Map(found.map(({ id, channelNo }) => [channelNo, id]));
}

/** The rows of an uploaded list. @throws Refusal SCM90020 with one message per wrong row. */
export async function readList(
  kernel: Kernel,
  db: Db,
  staff: Staff,
  fileId: string,
  fallbackChannelId: string,
  now: string,
): Promise<ListItem[]> {
  const file = await kernel.ports.files.openRead(db, fileId);
  const parts: Buffer[] = [];
  for await (const part of file.body) parts.push(part as Buffer);
  const raw = await readTable(Buffer.concat(parts), file.fileName.toLowerCase().endsWith('.csv') ? 'csv' : 'xlsx', listTable);
  const checked = await checkTable(listTable, raw, { db, staff, params: {}, now });
  if (checked.faults.length > 0) {
    throw refuse(platformErrors.MALFORMED, {
      fields: checked.faults.slice(0, NAMED_FAULTS).map(({ rowNo, message }) => ({ path: 'fileId', message: `第${rowNo}行：${message}` })),
    });
  }
  const rows = checked.rows.map(({ rowNo, record }): ParsedRow => ({ rowNo, record }));
  const channels = await channelsOf(db, staff, rows);
  return rows.map((row) => ({
    name: textOf(row, 'name'),
    channelId: channels.get(textOf(row, 'channelNo')) ?? fallbackChannelId,
    params: paramsOf(row),
  }));
}
