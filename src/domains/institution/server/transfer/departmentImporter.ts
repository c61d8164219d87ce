import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf, textOrNull } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { departmentChanged } from '#events/institution.ts';
import { addDepartment } from '../../contract/departmentCalls.ts';
import { queryHospitalList } from '../../contract/hospitalCalls.ts';
import { importDepartment } from '../../contract/importCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { hospitalsSeen, type Seer } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { refreshQuality } from '../hospitals/save.ts';

/** Hospitals that the importing person sees, by number. */
const hospitalIds = async (db: Db | Tx, rows: readonly ParsedRow[], seer: Seer) =>
  new Map(
    (
      await hospitalsSeen(own(db), seer)
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

async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], { staff }: { staff: Seer }) {
  const hospitals = await hospitalIds(db, rows, staff);
  const ids = [...new Set(hospitals.values())];
  const stored =
    ids.length === 0
      ? []
      : await own(db)
          .selectFrom('institutionDepartment')
          .select(['id', 'hospitalId', 'name', 'standardDeptCode', 'phone', 'version'])
          .where('hospitalId', 'in', ids)
          .where('state', '=', 'ENABLED')
          .execute();
  return { hospitals, departments: new Map(stored.map((row) => [`${row.hospitalId}|${row.name}`, row])) };
}

export const departmentImporter = upsertImporter({
  code: 'institution.department',
  label: '科室',
  call: importDepartment,
  templateVersion: '1',
  permission: institutionPermissions['hospital.import'].code,
  allowValidOnly: true,
  columns: importColumns({ ...addDepartment.input.shape, hospitalNo: queryHospitalList.input.shape.hospitalNo }, [
    { key: 'hospitalNo', required: true },
    { key: 'name', example: '心血管内科' },
    { key: 'standardDeptCode', label: '标准科室编码', maxLength: 5, example: '03.04' },
    'phone',
  ]),
  lookUp,
  async validate(rows, { hospitals }, { db }) {
    const faults = repeated(rows, 'name', '科室', (row) => `${textOf(row, 'hospitalNo')}|${textOf(row, 'name')}`);
    const codes = new Set(
      (await own(db).selectFrom('institutionStandardDept').select('code').where('state', '=', 'ENABLED').execute()).map(({ code }) => code),
    );
    for (const row of rows) {
      if (!hospitals.has(textOf(row, 'hospitalNo'))) faults.push(fault(row, 'hospitalNo', '医院编号不存在'));
      if (textOf(row, 'standardDeptCode') && !codes.has(textOf(row, 'standardDeptCode')))
        faults.push(fault(row, 'standardDeptCode', '标准科室编码不存在'));
    }
    return faults;
  },
  match: (row, { hospitals, departments }) => departments.get(`${hospitals.get(textOf(row, 'hospitalNo'))}|${textOf(row, 'name')}`),
  facts: (row) => ({ standardDeptCode: textOrNull(row, 'standardDeptCode'), phone: textOf(row, 'phone') }),
  before: ({ standardDeptCode, phone }, { record }) => ({ ...record, standardDeptCode, phone }),
  addOnly: ({ rowMode }) => rowMode === 'ADD_ONLY',
  async insert(rows, { hospitals }, { tx, now, staff }) {
    const made: string[] = [];
    for (const { row, values } of rows) {
      const { id } = await ownTx(tx)
        .insertInto('institutionDepartment')
        .values({
          ...values,
          hospitalId: hospitals.get(textOf(row, 'hospitalNo'))!,
          name: textOf(row, 'name'),
          state: 'ENABLED',
          ...createdColumns({ now, staff }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      made.push(id);
    }
    return made;
  },
  async update({ values, stored }, _known, writing) {
    const changed = await ownTx(writing.tx)
      .updateTable('institutionDepartment')
      .set((eb) => ({ ...values, version: eb('version', '+', 1), ...updatedColumns(writing) }))
      .where('id', '=', stored.id)
      .where('version', '=', stored.version)
      .returning('id')
      .executeTakeFirst();
    if (changed && stored.standardDeptCode !== values.standardDeptCode)
      await writing.publish(departmentChanged, stored.id, {
        departmentId: stored.id,
        hospitalId: stored.hospitalId,
        name: stored.name,
        standardDeptCode: values.standardDeptCode,
      });
    return changed !== undefined;
  },
  async written(_rows, { hospitals }, writing) {
    for (const id of new Set(hospitals.values())) await refreshQuality(writing, id);
  },
});
