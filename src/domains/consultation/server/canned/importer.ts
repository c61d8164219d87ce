import type { Importer, ImportFault, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { pinyinText } from '../../../../kernel/server/text/pinyin.ts';
import { CANNED_IMPORTER } from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { ownDb, ownTx } from '../database.ts';
import { NOBODY } from './save.ts';
import { unknownVariable } from './variables.ts';

const SHORTCUT = /^[a-z0-9一-龥]{1,20}$/;
const text = (row: ParsedRow, key: string) => String(row.record[key] ?? '').trim();
const fault = (row: ParsedRow, columnKey: string, message: string): ImportFault => ({
  rowNo: row.rowNo,
  columnKey,
  severity: 'ERROR',
  message,
});
const valuesOf = (row: ParsedRow) => ({ category: text(row, 'category'), title: text(row, 'title'), content: text(row, 'content') });

/** Public replies from a table; the shortcut is the key, everything else is replaced. */
export const cannedImporter: Importer = {
  code: CANNED_IMPORTER,
  label: '公共快捷回复',
  templateVersion: '1',
  permission: may['canned.manage'].code,
  maxRows: 2_000,
  allowValidOnly: true,
  columns: [
    { key: 'category', label: '分类', type: 'text', required: true, maxLength: 12, example: '问候' },
    { key: 'shortcut', label: '指令', type: 'text', required: true, maxLength: 20, example: 'wh', note: '小写字母、数字或汉字' },
    { key: 'title', label: '标题', type: 'text', required: true, maxLength: 30, example: '开场问候' },
    {
      key: 'content',
      label: '内容',
      type: 'text',
      required: true,
      maxLength: 1000,
      example: '{{患者称呼}}您好，我是{{医生姓名}}医生的助理{{医助姓名}}。',
    },
  ],
  validateRow(row) {
    const unknown = unknownVariable(text(row, 'content'));
    return [
      ...(SHORTCUT.test(text(row, 'shortcut')) ? [] : [fault(row, 'shortcut', '指令为1至20位小写字母、数字或汉字')]),
      ...(unknown === null ? [] : [fault(row, 'content', `变量“${unknown}”不存在`)]),
    ];
  },
  validateAll(rows) {
    const first = new Map<string, number>();
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const shortcut = text(row, 'shortcut');
      const earlier = first.get(shortcut);
      if (earlier === undefined) first.set(shortcut, row.rowNo);
      else faults.push(fault(row, 'shortcut', `指令与第${earlier}行重复`));
    }
    return Promise.resolve(faults);
  },
  async plan(rows, { db }) {
    const stored = await ownDb(db)
      .selectFrom('consultationCannedReply')
      .select(['id', 'shortcut', 'category', 'title', 'content', 'version'])
      .where('scope', '=', 'PUBLIC')
      .where(
        'shortcut',
        'in',
        rows.map((row) => text(row, 'shortcut')),
      )
      .execute();
    const known = new Map(stored.map((row) => [row.shortcut, row]));
    return rows.map((row): PlannedRow => {
      const before = known.get(text(row, 'shortcut'));
      if (!before) return { ...row, action: 'NEW' };
      const { category, title, content } = valuesOf(row);
      const same = before.category === category && before.title === title && before.content === content;
      return {
        ...row,
        action: same ? 'SAME' : 'CHANGE',
        before: { category: before.category, shortcut: before.shortcut, title: before.title, content: before.content },
        targetId: before.id,
        targetVersion: before.version,
      };
    });
  },
  async commitChunk(rows, _batchNo, { tx, staff, now }) {
    const written = new Map<number, string>();
    for (const row of rows) {
      const values = { ...valuesOf(row), titlePinyin: pinyinText(text(row, 'title')), updatedAt: now };
      const saved =
        row.targetId === undefined
          ? await ownTx(tx)
              .insertInto('consultationCannedReply')
              .values({
                scope: 'PUBLIC',
                ownerId: NOBODY,
                shortcut: text(row, 'shortcut'),
                ...values,
                createdAt: now,
                createdBy: staff.userId,
              })
              .returning('id')
              .executeTakeFirstOrThrow()
          : await ownTx(tx)
              .updateTable('consultationCannedReply')
              .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
              .where('id', '=', row.targetId)
              .returning('id')
              .executeTakeFirstOrThrow();
      written.set(row.rowNo, saved.id);
    }
    return written;
  },
};
