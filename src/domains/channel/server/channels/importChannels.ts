import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { checkAgainst } from '#kernel/contract/faults.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import { fieldColumns, rowFacts } from '#kernel/server/importing/rowFacts.ts';
import { codeOf, fault, textOf } from '#kernel/server/importing/rows.ts';
import {
  addChannel,
  CHANNEL_IMPORTER,
  channelByType,
  channelFieldKeys,
  channelFields,
  importChannel,
} from '../../contract/calls/channels.ts';
import { channelTypes } from '../../contract/dictionaries.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { insertChannel } from './insert.ts';

/** The template; what stands under the key of an entered field is read and written by that alone. */
const columns = importColumns(addChannel.input.shape, [
  { key: 'name', example: '浙一心内科地推' },
  { key: 'parentNo', label: '上级渠道编号', type: 'text', maxLength: 20, example: '', note: '不填为一级渠道' },
  { key: 'channelType', type: 'dict', dictionary: channelTypes, example: '活动' },
  'ownerName',
  { key: 'adcode', label: '地区代码', type: 'adcode', example: '330100' },
  'startDate',
  'endDate',
  { key: 'costFen', example: '0.00' },
  'remark',
]);
const imported = fieldColumns(columns, channelFieldKeys);

/** Empty cells are the call's to fill. */
const valuesOf = (row: ParsedRow) => {
  const { name = '', startDate = '', endDate = null, ownerName = null, ...rest } = rowFacts(channelFields, imported, row);
  return { ...rest, name, startDate, endDate, ownerName, agentId: null, channelType: codeOf(row, 'channelType', channelTypes) };
};

/** New channels from a table; agents' channels are made on the page, where the agent is chosen. */
// No `upsertImporter`: every row is a new channel, and one that is there already refuses it.
export const channelImporter: Importer = {
  code: CHANNEL_IMPORTER,
  label: '渠道',
  call: importChannel,
  templateVersion: '1',
  permission: channelPermissions['channel.import'].code,
  columns,

  validateRow: (row) =>
    (checkAgainst(channelByType, valuesOf(row)).faults ?? []).map(({ path, message }) =>
      fault(row, path === 'agentId' ? 'channelType' : path, path === 'agentId' ? '医药代表渠道请在页面上新增' : message),
    ),

  async validateAll(rows, { db, staff }) {
    const numbers = [...new Set(rows.map((row) => textOf(row, 'parentNo')).filter(Boolean))];
    const parents =
      numbers.length === 0
        ? []
        : await own(db)
            .selectFrom('channelChannel as c')
            .select(['c.id', 'c.channelNo', 'c.depth', 'c.state', 'c.channelType'])
            .where('c.channelNo', 'in', numbers)
            .where(seesChannel(staff))
            .execute();
    const byNo = new Map(parents.map((parent) => [parent.channelNo, parent]));
    const taken = await own(db)
      .selectFrom('channelChannel as c')
      .leftJoin('channelChannel as p', 'p.id', 'c.parentId')
      .select(['c.name', 'p.channelNo as parentNo'])
      .where(
        'c.name',
        'in',
        rows.map((row) => textOf(row, 'name')),
      )
      .execute();
    const used = new Set(taken.map(({ name, parentNo }) => `${parentNo ?? ''}/${name}`));
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const parentNo = textOf(row, 'parentNo');
      const parent = byNo.get(parentNo);
      if (parentNo && !parent) faults.push(fault(row, 'parentNo', '上级渠道不存在'));
      else if (parent && parent.depth >= 3) faults.push(fault(row, 'parentNo', channelErrors.TOO_DEEP.text));
      else if (parent && parent.state === 'DISABLED') faults.push(fault(row, 'parentNo', channelErrors.PARENT_DISABLED.text));
      else if (parent && parent.channelType !== textOf(row, 'channelType'))
        faults.push(fault(row, 'channelType', '渠道类型须与上级渠道相同'));
      const key = `${parentNo}/${textOf(row, 'name')}`;
      if (used.has(key)) faults.push(fault(row, 'name', channelErrors.NAME_TAKEN.text));
      used.add(key);
    }
    return faults;
  },

  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),

  async commitChunk(rows, _batchNo, writing) {
    const written = new Map<number, string>();
    for (const row of rows) {
      const parentNo = textOf(row, 'parentNo');
      const parent = parentNo
        ? await ownTx(writing.tx)
            .selectFrom('channelChannel')
            .select(['id', 'path', 'depth'])
            .where('channelNo', '=', parentNo)
            .executeTakeFirstOrThrow()
        : null;
      const { id } = await insertChannel(writing, { parent, ...valuesOf(row) }, { now: writing.now, userId: writing.staff.userId });
      written.set(row.rowNo, id);
    }
    return written;
  },
};
