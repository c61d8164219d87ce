import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Importer, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { fault, repeated, textOf, textOrNull } from '../../../../kernel/server/importing/rows.ts';
import { departmentChanged } from '../../../../events/institution.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { hospitalsSeen, type Seer } from '../access.ts';
import { ownDb, ownTx } from '../database.ts';
import { refreshQuality } from '../hospitals/save.ts';

/** Hospitals that the importing person sees, by number. */
const hospitalIds = async (db: Db | Tx, rows: readonly ParsedRow[], seer: Seer) =>
  new Map(
    (
      await hospitalsSeen(ownDb(db), seer)
        .select(['h.id', 'h.hospitalNo'])
        .where(
          'h.hospitalNo',
          'in',
          rows.map((row) => textOf(row, 'hospitalNo')),
        )
        .where('h.state', '<>', 'MERGED')
        .execute()
    ).map(({ id, hospitalNo }) => [hospitalNo, id]),
  );

export const departmentImporter: Importer = {
  code: 'institution.department',
  label: '科室',
  templateVersion: '1',
  permission: institutionPermissions['hospital.import'].code,
  allowValidOnly: true,
  columns: [
    { key: 'hospitalNo', label: '医院编号', type: 'text', required: true, maxLength: 30 },
    { key: 'name', label: '科室名称', type: 'text', required: true, maxLength: 50, example: '心血管内科' },
    { key: 'standardDeptCode', label: '标准科室编码', type: 'text', maxLength: 5, example: '03.04' },
    { key: 'phone', label: '电话', type: 'text', maxLength: 30 },
  ],
  async validateAll(rows, { db, staff }) {
    const faults = repeated(rows, 'name', '科室', (row) => `${textOf(row, 'hospitalNo')}|${textOf(row, 'name')}`);
    const known = await hospitalIds(db, rows, staff);
    const codes = new Set(
      (await ownDb(db).selectFrom('institutionStandardDept').select('code').where('state', '=', 'ENABLED').execute()).map(
        ({ code }) => code,
      ),
    );
    for (const row of rows) {
      if (!known.has(textOf(row, 'hospitalNo'))) faults.push(fault(row, 'hospitalNo', '医院编号不存在'));
      if (textOf(row, 'standardDeptCode') && !codes.has(textOf(row, 'standardDeptCode')))
        faults.push(fault(row, 'standardDeptCode', '标准科室编码不存在'));
    }
    return faults;
  },
  async plan(rows, { db, staff, params }) {
    const known = await hospitalIds(db, rows, staff);
    const ids = [...new Set(known.values())];
    const stored =
      ids.length === 0
        ? []
        : await ownDb(db)
            .selectFrom('institutionDepartment')
            .select(['id', 'hospitalId', 'name', 'standardDeptCode', 'phone', 'version'])
            .where('hospitalId', 'in', ids)
            .where('state', '=', 'ENABLED')
            .execute();
    const byName = new Map(stored.map((row) => [`${row.hospitalId}|${row.name}`, row]));
    return rows.map((row): PlannedRow => {
      const old = byName.get(`${known.get(textOf(row, 'hospitalNo'))}|${textOf(row, 'name')}`);
      if (!old) return { ...row, action: 'NEW' };
      const same =
        params['rowMode'] === 'ADD_ONLY' ||
        ((old.standardDeptCode ?? '') === textOf(row, 'standardDeptCode') && old.phone === textOf(row, 'phone'));
      return {
        ...row,
        action: same ? 'SAME' : 'CHANGE',
        before: { ...row.record, standardDeptCode: old.standardDeptCode, phone: old.phone },
        targetId: old.id,
        targetVersion: old.version,
      };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const tx = ownTx(writing.tx);
    const known = await hospitalIds(writing.tx, rows, writing.staff);
    const written = new Map<number, string>();
    for (const row of rows) {
      const values = {
        standardDeptCode: textOrNull(row, 'standardDeptCode'),
        phone: textOf(row, 'phone'),
        updatedAt: writing.now,
        updatedBy: writing.staff.userId,
      };
      if (row.action === 'SAME') written.set(row.rowNo, row.targetId!);
      else if (row.action === 'CHANGE') {
        await tx
          .updateTable('institutionDepartment')
          .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
          .where('id', '=', row.targetId!)
          .where('version', '=', row.targetVersion!)
          .execute();
        if ((row.before?.['standardDeptCode'] ?? null) !== values.standardDeptCode) {
          const departmentId = row.targetId!;
          await writing.publish(departmentChanged, departmentId, {
            departmentId,
            hospitalId: known.get(textOf(row, 'hospitalNo'))!,
            name: textOf(row, 'name'),
            standardDeptCode: values.standardDeptCode,
          });
        }
        written.set(row.rowNo, row.targetId!);
      } else {
        const { id } = await tx
          .insertInto('institutionDepartment')
          .values({
            ...values,
            hospitalId: known.get(textOf(row, 'hospitalNo'))!,
            name: textOf(row, 'name'),
            state: 'ENABLED',
            createdAt: writing.now,
            createdBy: writing.staff.userId,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        written.set(row.rowNo, id);
      }
    }
    for (const id of new Set(known.values())) await refreshQuality(writing, id);
    return written;
  },
};
