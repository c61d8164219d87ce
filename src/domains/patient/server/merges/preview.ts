import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { bloodTypes, genders, idTypes, insuranceTypes, lifeStates, sources } from '../../contract/dictionaries.ts';
import { realNameMachine } from '../../contract/states.ts';
import type { PatientRecord } from '../database.ts';
import type { Pair } from './guards.ts';

const fields: readonly [field: string, label: string, value: (row: PatientRecord) => string | null][] = [
  ['name', '姓名', (row) => row.name],
  ['gender', '性别', (row) => genders.label(String(row.gender))],
  ['birthDate', '出生日期', (row) => row.birthDate],
  ['idType', '证件类型', (row) => row.idType && idTypes.label(row.idType)],
  ['idNoMasked', '证件号', (row) => row.idNoMasked],
  ['mobileMasked', '手机号', (row) => row.mobileMasked],
  ['realNameState', '实名状态', (row) => realNameMachine.dictionary.label(row.realNameState)],
  ['lifeState', '生存状态', (row) => lifeStates.label(row.lifeState)],
  ['source', '来源', (row) => sources.label(row.source)],
  ['medicalInsuranceType', '医保类型', (row) => row.medicalInsuranceType && insuranceTypes.label(row.medicalInsuranceType)],
  ['bloodType', '血型', (row) => row.bloodType && bloodTypes.label(row.bloodType)],
  ['allergyHistory', '过敏史', (row) => row.allergyHistory || null],
  ['createdAt', '建档时间', (row) => row.createdAt],
];
/** Masked numbers may look alike and differ: their hashes decide. */
const sameAs: Readonly<Record<string, (pair: Pair) => boolean>> = {
  idNoMasked: ({ from, into }) => from.idNoHash === into.idNoHash,
  mobileMasked: ({ from, into }) => from.mobileHash === into.mobileHash,
};

/** The two records side by side. */
export const differencesOf = (pair: Pair) =>
  fields.map(([field, label, value]) => {
    const [from, into] = [value(pair.from), value(pair.into)];
    return { field, label, from, into, same: sameAs[field]?.(pair) ?? from === into };
  });

const tables: readonly [label: string, table: string][] = [
  ['诊断', 'patient_diagnosis'],
  ['病情资料', 'patient_record_text'],
  ['用药建议', 'patient_medicine_suggested'],
  ['订单', 'patient_record_order'],
  ['检查检验', 'patient_inspection'],
  ['授权', 'patient_consent'],
  ['联系人', 'patient_contact_person'],
];
export async function countsOf(db: Db, { from, into }: Pair) {
  const parts = tables.map(
    ([label, table]) =>
      sql`
        select ${label} as label, count(*) filter (where patient_id = ${from.id})::int as "from",
            count(*) filter (where patient_id = ${into.id})::int as "into"
          from ${sql.table(table)}
          where patient_id in (${from.id}, ${into.id})`,
  );
  return (await sql<{ label: string; from: number; into: number }>`${sql.join(parts, sql` union all `)}`.execute(db)).rows;
}
