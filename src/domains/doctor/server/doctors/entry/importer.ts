import { shapeOf } from '#kernel/contract/field.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow, ImportFault } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { addDoctorInfo, DOCTOR_IMPORTER, importDoctor } from '../../../contract/calls/doctors.ts';
import { doctorPermissions } from '../../../contract/permissions.ts';
import { directFacts, type DirectFact, type QualFacts } from '../../../contract/qualFields.ts';
import { attributeDoctor } from '../../attribution/attribute.ts';
import { draftQualApply } from '../../qual/submit.ts';
import { createDoctor, OUTSIDE } from './create.ts';
import { publishDoctor } from '../practice/publish.ts';
import type { Db, Scope } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { findHospitalsNamed, getHospitals } from '#domains/institution/server/index.ts';
import { own } from '../../database.ts';
import { idNoHashOf, mobileHashOf } from './person.ts';

/** What the rows name, read once for all of them. */
async function lookUp(db: Db, secrets: Secrets, rows: readonly ParsedRow[]) {
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
type Known = Awaited<ReturnType<typeof lookUp>>;

/** The hospital and department that a row means; a fault when it means none or several, or one outside the data scope. */
function placeOf(known: Known, row: ParsedRow, scope: Scope): { hospitalId: string; departmentId: string | null } | ImportFault {
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

/** Facts of a row that an audit will look at; empty cells are left open. */
function factsOf(row: ParsedRow, place: { hospitalId: string; departmentId: string | null }): Partial<QualFacts> {
  const written = Object.fromEntries(directFacts.flatMap((key) => (textOf(row, key) ? [[key, textOf(row, key)]] : [])));
  return {
    name: textOf(row, 'name'),
    ...place,
    ...(textOf(row, 'idNo') ? { idNo: textOf(row, 'idNo').toUpperCase() } : {}),
    // Codes were checked against the columns' dictionaries.
    ...(written as Partial<Pick<QualFacts, DirectFact>>),
  };
}

/**
 * Doctors of a table: records without qualification, each with an application that waits for its certificates. A known mobile is the same
 * doctor.
 */
export const doctorImporter = (kernel: Kernel): Importer =>
  upsertImporter({
    code: DOCTOR_IMPORTER,
    label: '医生',
    call: importDoctor,
    templateVersion: '1',
    permission: doctorPermissions['doctor.import'].code,
    maxRows: 5000,
    columns: importColumns(shapeOf(addDoctorInfo.input), [
      { key: 'name', example: '李文博' },
      { key: 'mobile', type: 'mobile', sensitive: true, example: '13800000000' },
      { key: 'idNo', type: 'idNo', required: false, sensitive: true, note: '可在提交证件时补充' },
      {
        key: 'hospital',
        label: '执业机构',
        type: 'text',
        required: true,
        maxLength: 100,
        example: '杭州市第一人民医院',
        note: '医院名称、曾用名或医院编号',
      },
      { key: 'department', label: '科室', type: 'text', maxLength: 50, example: '心血管内科' },
      // An audit asks for them later.
      { key: 'titleCode', required: false, example: '副主任医师' },
      { key: 'practiceLevel', required: false, example: '执业医师' },
      { key: 'practiceCategory', required: false, example: '临床' },
      { key: 'practiceScope', required: false, example: '内科专业' },
      { key: 'practiceSince', required: false, example: '2012-07-01' },
      'specialty',
    ]),

    async lookUp(db, rows, { staff }) {
      const known = await lookUp(db, kernel.secrets, rows);
      return { ...known, placeOf: (row: ParsedRow) => placeOf(known, row, staff.scope) };
    },

    validate(rows, known) {
      const faults = [
        ...repeated(rows, 'mobile', '手机号', (row) => textOf(row, 'mobile')),
        ...repeated(rows, 'idNo', '身份证号', (row) => textOf(row, 'idNo')),
      ];
      for (const row of rows) {
        const place = known.placeOf(row);
        if ('message' in place) faults.push(place);
        const same = known.byMobile(row);
        if (same && same.name !== textOf(row, 'name')) faults.push(fault(row, 'mobile', `手机号已被医生${same.doctorNo}使用`));
        const holder = known.byIdNo(row);
        if (holder && holder.id !== same?.id) faults.push(fault(row, 'idNo', `身份证号已被医生${holder.doctorNo}使用`));
      }
      return faults;
    },

    match: (row, known) => known.byMobile(row),
    facts(row, known) {
      const place = known.placeOf(row);
      if ('message' in place) throw new Error(`row ${row.rowNo}: ${place.message}`);
      return { ...factsOf(row, place), place };
    },
    // A known doctor stays as he is.
    addOnly: () => true,
    before: () => ({}),
    update: () => Promise.resolve(false),
    async insert(rows, _known, writing) {
      const ctx: Acting = { ...asSystem(writing, { now: writing.now, traceId: 'import' }), staffOrNull: writing.staff };
      const ids: string[] = [];
      for (const {
        row,
        values: { place, ...facts },
      } of rows) {
        const doctor = await createDoctor(
          ctx,
          kernel.secrets,
          {
            name: textOf(row, 'name'),
            mobile: textOf(row, 'mobile'),
            idNo: facts.idNo ?? null,
            ...place,
            hospitalApplyId: null,
            specialty: textOf(row, 'specialty'),
          },
          'IMPORT',
        );
        await attributeDoctor(kernel, ctx, { doctorId: doctor.id });
        await draftQualApply(kernel, ctx, { doctorId: doctor.id, facts, source: 'IMPORT' });
        await publishDoctor(ctx, doctor.id, ['name']);
        ids.push(doctor.id);
      }
      return ids;
    },
  });
