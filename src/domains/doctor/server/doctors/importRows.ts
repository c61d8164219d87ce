import type { Db } from '../../../../kernel/server/context.ts';
import type { ImportFault, ParsedRow } from '../../../../kernel/server/importing/importer.ts';
import { fault, textOf } from '../../../../kernel/server/importing/rows.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { seesRegion } from '../../../../kernel/server/auth/scope.ts';
import type { Scope } from '../../../../kernel/server/context.ts';
import { findHospitalsNamed, getHospitals } from '../../../institution/server/index.ts';
import { own } from '../database.ts';
import { OUTSIDE } from './create.ts';
import { idNoHashOf, mobileHashOf } from './person.ts';

/** What the rows name, read once for all of them. */
export async function lookUp(db: Db, secrets: Secrets, rows: readonly ParsedRow[]) {
  const hospitals = await findHospitalsNamed(db, [...new Set(rows.map((row) => textOf(row, 'hospital')))]);
  const places = await getHospitals(db, [...new Set(hospitals.map(({ hospitalId }) => hospitalId))]);
  const people =
    rows.length === 0
      ? []
      : await own(db)
          .selectFrom('doctorDoctor')
          .select(['id', 'doctorNo', 'name', 'mobileHash', 'idNoHash'])
          .where('accountState', '<>', 'CANCELLED')
          .where((eb) =>
            eb.or([
              eb(
                'mobileHash',
                'in',
                rows.map((row) => mobileHashOf(secrets, textOf(row, 'mobile'))),
              ),
              eb('idNoHash', 'in', ['', ...rows.flatMap((row) => (textOf(row, 'idNo') ? [idNoHashOf(secrets, textOf(row, 'idNo'))] : []))]),
            ]),
          )
          .execute();
  const byMobile = new Map(people.map((row) => [row.mobileHash, row]));
  const byIdNo = new Map(people.flatMap((row) => (row.idNoHash === null ? [] : [[row.idNoHash, row]])));
  return {
    hospitals: (row: ParsedRow) => hospitals.filter(({ written }) => written === textOf(row, 'hospital')),
    adcodeOf: (hospitalId: string) => places.find(({ id }) => id === hospitalId)?.adcode ?? '',
    byMobile: (row: ParsedRow) => byMobile.get(mobileHashOf(secrets, textOf(row, 'mobile'))),
    byIdNo: (row: ParsedRow) => (textOf(row, 'idNo') ? byIdNo.get(idNoHashOf(secrets, textOf(row, 'idNo'))) : undefined),
  };
}
export type Known = Awaited<ReturnType<typeof lookUp>>;

/** The hospital and department that a row means; a fault when it means none or several, or one outside the data scope. */
export function placeOf(known: Known, row: ParsedRow, scope: Scope): { hospitalId: string; departmentId: string | null } | ImportFault {
  const found = known.hospitals(row);
  const [hospital] = found;
  if (!hospital) return fault(row, 'hospital', '没有这家启用的医院，请核对名称或填写医院编号');
  if (found.length > 1) return fault(row, 'hospital', `有${found.length}家同名医院，请填写医院编号`);
  if (!seesRegion(scope, known.adcodeOf(hospital.hospitalId))) return fault(row, 'hospital', OUTSIDE);
  const wanted = textOf(row, 'department');
  const department = hospital.departments.find(({ name }) => name === wanted);
  if (wanted && !department) return fault(row, 'department', `${hospital.name}没有“${wanted}”这个科室`);
  return { hospitalId: hospital.hospitalId, departmentId: department?.id ?? null };
}
