import { sql } from 'kysely';
import { markBound } from '#events/content.ts';
import { fillText } from '#kernel/contract/errors.ts';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db, Staff, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { importMarkBinding, MARK_BINDING_IMPORTER } from '../../../contract/marks/calls/imports.ts';
import { queryMarkObjectList } from '../../../contract/marks/calls/bindings.ts';
import { objectTypes } from '../../../contract/marks/dictionaries.ts';
import { markErrors } from '../../../contract/marks/errors.ts';
import { markPermissions as may } from '../../../contract/marks/permissions.ts';
import { own } from '../../database.ts';
import { typeOf } from '../objects.ts';
import { publishUnbound, type EndedBinding } from './end.ts';

const text = (row: ParsedRow, key: string) => String(row.record[key] ?? '').toUpperCase();
const expiryOf = (row: ParsedRow): Instant | null =>
  typeof row.record['expireOn'] === 'string' ? startOfDay(plusDays(row.record['expireOn'], 1)) : null;

type Registered = Pick<Kernel, 'registry'>;

/** Marks and objects that rows name, and what those objects carry in the groups of these marks. */
async function lookUp(kernel: Registered, db: Db | Tx, staff: Staff, now: Instant, rows: readonly ParsedRow[]) {
  const marks = await own(db)
    .selectFrom('contentMark as m')
    .innerJoin('contentTagGroup as g', 'g.id', 'm.groupId')
    .select(['m.id', 'm.markCode', 'm.groupId', 'm.state', 'g.state as groupState', 'g.objectType', 'g.selectMode'])
    .select(['g.manualAllowed', 'g.maxPerObject', 'g.sensitive'])
    .where('m.markCode', 'in', [...new Set(rows.map((row) => text(row, 'markCode')))])
    .execute();
  const seen = marks.filter(
    (mark) => !(mark.sensitive && mark.objectType === 'PATIENT') || staff.permissions.has(may['mark.sensitive'].code),
  );
  const objects = new Map<string, string>();
  for (const code of objectTypes.codes) {
    const numbers = rows.filter((row) => row.record['objectType'] === code).map((row) => text(row, 'objectNo'));
    for (const { no, id } of await typeOf(kernel, code).numbered(db, staff, numbers, now)) objects.set(`${code}:${no}`, id);
  }
  const { rows: live } = await sql<EndedBinding & { id: string; groupId: string }>`
    select b.id::text, b.mark_id::text, b.group_id::text, b.object_type, b.object_id::text, b.source, m.mark_code
      from content_mark_binding b join content_mark m on m.id = b.mark_id
     where b.ended_at is null
       and b.group_id = any(${seen.map(({ groupId }) => groupId)}::bigint[])
       and b.object_id = any(${[...objects.values()]}::bigint[])`.execute(db);
  const byCode = new Map(seen.map((mark) => [mark.markCode, mark]));
  const pairOf = (row: ParsedRow) => {
    const mark = byCode.get(text(row, 'markCode'));
    const objectId = objects.get(`${row.record['objectType']}:${text(row, 'objectNo')}`);
    return { mark, objectId };
  };
  return { live, pairOf };
}

/**
 * No `upsertImporter`: groups are locked before it is read what is bound, and a row may end the binding of another mark. 对象类型,
 * 对象编号, 标签编码, 到期日期: one binding per row; what is bound already stays as it is.
 */
export const bindingImporter = (kernel: Registered): Importer => ({
  code: MARK_BINDING_IMPORTER,
  label: '打标记录',
  call: importMarkBinding,
  templateVersion: '1',
  permission: may['mark.bind'].code,
  undoDays: 7,
  columns: importColumns(queryMarkObjectList.output.shape, [
    { key: 'objectType', example: '患者' },
    { key: 'objectNo', maxLength: 40, required: true, example: 'PT00000001' },
    { key: 'markCode', maxLength: 20, required: true, example: 'BQ00001' },
    { key: 'expireOn', label: '到期日期', type: 'day', example: '2030-12-31', note: '当日仍有效；不填则长期有效' },
  ]),
  async validateAll(rows, { db, staff, now }) {
    const { live, pairOf } = await lookUp(kernel, db, staff, now, rows);
    const faults: ImportFault[] = [];
    const first = new Map<string, number>();
    const counts = new Map<string, number>();
    for (const row of rows) {
      const fault = (columnKey: string, message: string) => void faults.push({ rowNo: row.rowNo, columnKey, severity: 'ERROR', message });
      const { mark, objectId } = pairOf(row);
      const expireOn = row.record['expireOn'];
      if (typeof expireOn === 'string' && expireOn < dayOf(now)) fault('expireOn', '到期日期不能早于今天');
      if (objectId === undefined) fault('objectNo', markErrors.NO_OBJECT.text);
      if (!mark) fault('markCode', '标签编码不存在');
      else if (mark.objectType !== row.record['objectType']) fault('markCode', '标签不适用于该类对象');
      else if (!mark.manualAllowed) fault('markCode', markErrors.MANUAL_FORBIDDEN.text);
      else if (mark.state === 'DISABLED' || mark.groupState === 'DISABLED') fault('markCode', '标签已停用');
      if (!mark || objectId === undefined) continue;
      // In a group of single choice another mark of the group is the same row said twice.
      const key = `${mark.selectMode === 'SINGLE' ? `group${mark.groupId}` : mark.id}:${objectId}`;
      const before = first.get(key);
      if (before !== undefined) fault('markCode', `与第${before}行重复`);
      first.set(key, before ?? row.rowNo);
      const there = live.filter((one) => one.groupId === mark.groupId && one.objectId === objectId);
      if (before !== undefined || mark.selectMode === 'SINGLE' || there.some(({ markId }) => markId === mark.id)) continue;
      const group = `${mark.groupId}:${objectId}`;
      const count = (counts.get(group) ?? there.length) + 1;
      counts.set(group, count);
      if (mark.maxPerObject !== null && count > mark.maxPerObject)
        fault('markCode', fillText(markErrors.TOO_MANY.text, { n: mark.maxPerObject }));
    }
    return faults;
  },
  async plan(rows, { db, staff, now }) {
    const { live, pairOf } = await lookUp(kernel, db, staff, now, rows);
    return rows.map((row) => {
      const { mark, objectId } = pairOf(row);
      const stored = live.find((one) => one.markId === mark?.id && one.objectId === objectId);
      return stored ? { ...row, action: 'SAME', targetId: stored.id } : { ...row, action: 'NEW' };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const { tx, staff, now } = writing;
    const groups = (await lookUp(kernel, tx, staff, now, rows)).pairOf;
    const groupIds = [...new Set(rows.flatMap((row) => groups(row).mark?.groupId ?? []))];
    await sql`select id from content_tag_group where id = any(${groupIds}::bigint[]) order by id for update`.execute(tx);
    const { live, pairOf } = await lookUp(kernel, tx, staff, now, rows);
    const written = new Map<number, string>();
    for (const row of rows) {
      const { mark, objectId } = pairOf(row);
      if (!mark || objectId === undefined) continue;
      const there = live.filter((one) => one.groupId === mark.groupId && one.objectId === objectId);
      const same = there.find(({ markId }) => markId === mark.id);
      if (same) {
        written.set(row.rowNo, same.id);
        continue;
      }
      const replaced = mark.selectMode === 'SINGLE' ? there : [];
      for (const { id, groupId: _group, ...one } of replaced) {
        await sql`
          update content_mark_binding set ended_at = ${now}, ended_by = ${staff.userId}, end_reason = 'REPLACED' where id = ${id}`.execute(
          tx,
        );
        await publishUnbound({ ...writing, now }, [one]);
      }
      const { rows: made } = await sql<{ id: string }>`
        insert into content_mark_binding (mark_id, group_id, object_type, select_mode, object_id, source, bound_at, bound_by, expire_at)
        values (
          ${mark.id}, ${mark.groupId}, ${mark.objectType}, ${mark.selectMode}, ${objectId}, 'IMPORT', ${now}, ${staff.userId},
          ${expiryOf(row)}
        )
        returning id::text`.execute(tx);
      written.set(row.rowNo, made[0]!.id);
      await writing.publish(markBound, `${mark.objectType}:${objectId}:${mark.id}`, {
        markId: mark.id,
        markCode: mark.markCode,
        objectType: mark.objectType,
        objectId,
        source: 'IMPORT',
        at: now,
      });
    }
    return written;
  },
  async undo(rows, _batchNo, writing) {
    const ids = rows.flatMap(({ action, targetId }) => (action === 'NEW' && targetId !== undefined ? [targetId] : []));
    const { tx, now, staff } = writing;
    await sql`
      select id
        from content_tag_group
        where id in (select group_id from content_mark_binding where id = any(${ids}::bigint[]))
        order by id for update`.execute(tx);
    const { rows: ended } = await sql<EndedBinding>`
      update content_mark_binding b set ended_at = ${now}, ended_by = ${staff.userId}, end_reason = 'MANUAL'
        from content_mark m where m.id = b.mark_id and b.id = any(${ids}::bigint[]) and b.ended_at is null
      returning b.mark_id::text, m.mark_code, b.object_type, b.object_id::text, b.source`.execute(tx);
    await publishUnbound({ ...writing, now }, ended);
    return null;
  },
});
