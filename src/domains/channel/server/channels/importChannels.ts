import type { Importer, ImportFault, ParsedRow } from '../../../../kernel/server/importing/importer.ts';
import { codeOf } from '../../../../kernel/server/importing/rows.ts';
import { CHANNEL_IMPORTER, channelFaults } from '../../contract/calls/channels.ts';
import { channelTypes } from '../../contract/dictionaries.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { insertChannel } from './insert.ts';

const text = (row: ParsedRow, key: string) => String(row.record[key] ?? '').trim();
const fault = (row: ParsedRow, columnKey: string, message: string): ImportFault => ({
  rowNo: row.rowNo,
  columnKey,
  severity: 'ERROR',
  message,
});
const valuesOf = (row: ParsedRow) => ({
  channelType: codeOf(row, 'channelType', channelTypes),
  agentId: null,
  ownerName: text(row, 'ownerName') || null,
  startDate: text(row, 'startDate'),
  endDate: text(row, 'endDate') || null,
  name: text(row, 'name'),
  adcode: text(row, 'adcode') || null,
  remark: text(row, 'remark'),
  costFen: Number(row.record['costFen'] ?? 0),
});

/** New channels from a table; agents' channels are made on the page, where the agent is chosen. */
export const channelImporter: Importer = {
  code: CHANNEL_IMPORTER,
  label: '渠道',
  templateVersion: '1',
  permission: channelPermissions['channel.import'].code,
  columns: [
    { key: 'name', label: '渠道名称', type: 'text', required: true, maxLength: 40, example: '浙一心内科地推' },
    { key: 'parentNo', label: '上级渠道编号', type: 'text', maxLength: 20, example: '', note: '不填为一级渠道' },
    { key: 'channelType', label: '渠道类型', type: 'dict', required: true, dictionary: channelTypes, example: '活动' },
    { key: 'ownerName', label: '归属方', type: 'text', maxLength: 60, example: '' },
    { key: 'adcode', label: '地区代码', type: 'adcode', example: '330100' },
    { key: 'startDate', label: '开始日期', type: 'day', required: true, example: '2026-01-01' },
    { key: 'endDate', label: '结束日期', type: 'day', example: '' },
    { key: 'costFen', label: '投放费用', type: 'money', example: '0.00' },
    { key: 'remark', label: '备注', type: 'text', maxLength: 200, example: '' },
  ],

  validateRow: (row) =>
    channelFaults(valuesOf(row)).map(({ path, message }) =>
      fault(row, path === 'agentId' ? 'channelType' : path, path === 'agentId' ? '医药代表渠道请在页面上新增' : message),
    ),

  async validateAll(rows, { db, staff }) {
    const numbers = [...new Set(rows.map((row) => text(row, 'parentNo')).filter(Boolean))];
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
        rows.map((row) => text(row, 'name')),
      )
      .execute();
    const used = new Set(taken.map(({ name, parentNo }) => `${parentNo ?? ''}/${name}`));
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const parentNo = text(row, 'parentNo');
      const parent = byNo.get(parentNo);
      if (parentNo && !parent) faults.push(fault(row, 'parentNo', '上级渠道不存在'));
      else if (parent && parent.depth >= 3) faults.push(fault(row, 'parentNo', channelErrors.TOO_DEEP.text));
      else if (parent && parent.state === 'DISABLED') faults.push(fault(row, 'parentNo', channelErrors.PARENT_DISABLED.text));
      else if (parent && parent.channelType !== text(row, 'channelType'))
        faults.push(fault(row, 'channelType', '渠道类型须与上级渠道相同'));
      const key = `${parentNo}/${text(row, 'name')}`;
      if (used.has(key)) faults.push(fault(row, 'name', channelErrors.NAME_TAKEN.text));
      used.add(key);
    }
    return faults;
  },

  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),

  async commitChunk(rows, _batchNo, writing) {
    const written = new Map<number, string>();
    for (const row of rows) {
      const parentNo = text(row, 'parentNo');
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
