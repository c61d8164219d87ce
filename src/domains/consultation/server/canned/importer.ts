import { importColumns } from '#kernel/server/importing/importColumns.ts';
import { fault, textOf } from '#kernel/server/importing/rows.ts';
import type { ImportFault } from '#kernel/server/importing/importer.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addCannedReply, CANNED_IMPORTER, importCannedReply } from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own, ownTx } from '../database.ts';
import { NOBODY } from './save.ts';
import { unknownVariable } from './variables.ts';

/** Public replies from a table; the shortcut is the key, everything else is replaced. */
export const cannedImporter = upsertImporter({
  code: CANNED_IMPORTER,
  label: '公共快捷回复',
  call: importCannedReply,
  templateVersion: '1',
  permission: may['canned.manage'].code,
  maxRows: 2_000,
  allowValidOnly: true,
  columns: importColumns(addCannedReply.input.shape, [
    { key: 'category', example: '问候' },
    { key: 'shortcut', maxLength: 20, example: 'wh', note: '小写字母、数字或汉字' },
    { key: 'title', example: '开场问候' },
    { key: 'content', example: '{{患者称呼}}您好，我是{{医生姓名}}医生的助理{{医助姓名}}。' },
  ]),
  validateRow(row) {
    const unknown = unknownVariable(textOf(row, 'content'));
    return unknown === null ? [] : [fault(row, 'content', `变量“${unknown}”不存在`)];
  },
  async lookUp(db, rows) {
    const stored = await own(db)
      .selectFrom('consultationCannedReply')
      .select(['id', 'shortcut', 'category', 'title', 'content', 'version'])
      .where('scope', '=', 'PUBLIC')
      .where(
        'shortcut',
        'in',
        rows.map((row) => textOf(row, 'shortcut')),
      )
      .execute();
    return new Map(stored.map((row) => [row.shortcut, row]));
  },
  validate(rows) {
    const first = new Map<string, number>();
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const shortcut = textOf(row, 'shortcut');
      const earlier = first.get(shortcut);
      if (earlier === undefined) first.set(shortcut, row.rowNo);
      else faults.push(fault(row, 'shortcut', `指令与第${earlier}行重复`));
    }
    return faults;
  },
  match: (row, known) => known.get(textOf(row, 'shortcut')),
  facts: (row) => ({
    shortcut: textOf(row, 'shortcut'),
    category: textOf(row, 'category'),
    title: textOf(row, 'title'),
    content: textOf(row, 'content'),
  }),
  async insert(rows, _known, { tx, staff, now }) {
    const saved = await ownTx(tx)
      .insertInto('consultationCannedReply')
      .values(
        rows.map(({ values }) => ({
          scope: 'PUBLIC' as const,
          ownerId: NOBODY,
          ...values,
          titlePinyin: pinyinText(values.title),
          ...authorColumns({ now, staff }),
          updatedAt: now,
        })),
      )
      .returning('id')
      .execute();
    return saved.map(({ id }) => id);
  },
  async update({ values, stored }, _known, { tx, now }) {
    const [changed] = await ownTx(tx)
      .updateTable('consultationCannedReply')
      .set((eb) => ({ ...values, titlePinyin: pinyinText(values.title), version: eb('version', '+', 1), updatedAt: now }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning('id')
      .execute();
    return changed !== undefined;
  },
});
