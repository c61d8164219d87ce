import { sql } from 'kysely';
import { ageOn } from '../../contract/idNumber.ts';
import { type PersonBrief, personBrief } from '../../contract/fields.ts';
import type { PatientRecord } from '../database.ts';
import { factsOf } from '#kernel/contract/field.ts';
import type { ExportColumn } from '#kernel/server/exporting/source.ts';
import { exportColumn } from '#kernel/server/list/listExport.ts';

/** Columns of a person as lists show one, prefixed where two persons stand in a row. */
export const briefOf = (
  row: Pick<
    PatientRecord,
    'id' | 'patientNo' | 'name' | 'gender' | 'birthDate' | 'mobileMasked' | 'idNoMasked' | 'realNameState' | 'lifeState' | 'state'
  >,
  today: string,
): PersonBrief => ({
  patientId: row.id,
  patientNo: row.patientNo,
  name: row.name,
  gender: row.gender,
  age: row.birthDate === null ? null : ageOn(row.birthDate, today),
  birthDate: row.birthDate,
  mobileMasked: row.mobileMasked,
  idNoMasked: row.idNoMasked,
  realNameState: row.realNameState,
  lifeState: row.lifeState,
  state: row.state,
});

export const briefColumns = [
  'id',
  'patientNo',
  'name',
  'gender',
  'birthDate',
  'mobileMasked',
  'idNoMasked',
  'realNameState',
  'lifeState',
  'state',
] as const;
export type BriefRow = Pick<PatientRecord, (typeof briefColumns)[number]>;

/** A person as one json column, for lists of other things that name him. */
export const briefJson = (alias: string) => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<BriefRow>`
    json_build_object(
      'id', ${of('id')}::text, 'patientNo', ${of('patient_no')}, 'name', ${of('name')}, 'gender', ${of('gender')}, 'birthDate',
      ${of('birth_date')}, 'mobileMasked', ${of('mobile_masked')}, 'idNoMasked', ${of('id_no_masked')}, 'realNameState',
      ${of('real_name_state')}, 'lifeState', ${of('life_state')}, 'state', ${of('state')}
    )`;
};

const shown = ['patientNo', 'name', 'gender', 'age', 'mobileMasked', 'idNoMasked'] as const satisfies readonly (keyof PersonBrief)[];

/**
 * Columns of the person that a row holds under `key`; his name is masked, the numbers are kept masked only.
 * @param prefix what tells the person of a row from another one
 */
export const personColumns = <Key extends string>(key: Key, prefix = ''): ExportColumn<Readonly<Record<Key, PersonBrief>>>[] =>
  shown.map((name) => {
    const facts = factsOf(personBrief, name);
    return exportColumn(`${key}.${name}`, { ...facts, label: `${prefix}${facts.label}` });
  });
