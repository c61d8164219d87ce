import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { getDepartment, getHospital, getHospitalApply } from '#domains/institution/server/index.ts';
import type { SourceType } from '../../../contract/dictionaries.ts';
import { accountMachine } from '../../../contract/states.ts';
import { ownTx } from '../../database.ts';
import { requireUnknownPerson, idNoColumns, idNoHashOf, mobileColumns } from './person.ts';

export interface NewDoctor {
  name: string;
  mobile: string;
  idNo: string | null;
  /** Exactly one of hospitalId and hospitalApplyId. */
  hospitalId: string | null;
  hospitalApplyId: string | null;
  departmentId: string | null;
  avatarFileId?: string | null;
  specialty?: string;
  intro?: string;
  diseaseIds?: readonly string[];
}

export interface Workplace {
  hospitalId: string | null;
  hospitalApplyId: string | null;
  departmentId: string | null;
}

/** Columns of where a doctor practises, checked against institution; a merged hospital is stored as its survivor. */
export async function workplaceColumns(tx: Tx, place: Workplace) {
  if ((place.hospitalId === null) === (place.hospitalApplyId === null)) throw refuseField('hospitalId', '请选择执业机构');
  if (place.hospitalApplyId !== null) {
    const applied = await getHospitalApply(tx, place.hospitalApplyId);
    if (!applied || applied.state === 'REJECTED' || applied.state === 'WITHDRAWN')
      throw refuseField('hospitalApplyId', '医院申请不存在或未通过，请重新选择执业机构');
    // Decided meanwhile: the hospital itself.
    if (applied.resultHospitalId === null)
      return {
        hospitalId: null,
        hospitalApplyId: applied.id,
        hospitalName: applied.name,
        departmentId: null,
        departmentName: null,
        standardDeptCode: null,
        adcode: applied.adcode,
      };
    return hospitalColumns(tx, applied.resultHospitalId, null);
  }
  return hospitalColumns(tx, place.hospitalId!, place.departmentId);
}

async function hospitalColumns(tx: Tx, hospitalId: string, departmentId: string | null) {
  const hospital = await getHospital(tx, hospitalId);
  if (!hospital) throw refuseField('hospitalId', '请选择执业机构');
  if (hospital.state !== 'ENABLED') throw refuseField('hospitalId', '该执业机构已停用');
  const department = departmentId === null ? null : await getDepartment(tx, departmentId);
  if (departmentId !== null && department?.hospitalId !== hospital.hospitalId) throw refuseField('departmentId', '请选择该机构的科室');
  return {
    hospitalId: hospital.hospitalId,
    hospitalApplyId: null,
    hospitalName: hospital.name,
    departmentId: department?.id ?? null,
    departmentName: department?.name ?? null,
    standardDeptCode: department?.standardDeptCode ?? null,
    adcode: hospital.adcode,
  };
}

export const OUTSIDE = '该医院不在您的数据范围内';

/**
 * Opens the record of a doctor, not qualified yet. @throws Refusal SCM90020 on a mobile in use or a hospital outside the user's data
 * scope, SCM07022 on a citizen's number in use.
 */
export async function createDoctor(
  ctx: Acting,
  secrets: Secrets,
  facts: NewDoctor,
  sourceType: SourceType,
): Promise<{ id: string; doctorNo: string; operatorId: string; version: number }> {
  const person = { ...mobileColumns(secrets, facts.mobile), ...(facts.idNo === null ? {} : idNoColumns(secrets, facts.idNo)) };
  await requireUnknownPerson(
    ctx.tx,
    { mobileHash: person.mobileHash, idNoHash: facts.idNo === null ? null : idNoHashOf(secrets, facts.idNo) },
    null,
  );
  const place = await workplaceColumns(ctx.tx, facts);
  if (ctx.staffOrNull && place.adcode !== null && !seesRegion(ctx.staffOrNull.scope, place.adcode))
    throw refuseField('hospitalId', OUTSIDE);
  const doctorNo = await nextNumber(ctx.tx, 'YS', ctx.today);
  const row = await ownTx(ctx.tx)
    .insertInto('doctorDoctor')
    .values({
      doctorNo,
      name: facts.name,
      namePinyin: pinyinText(facts.name),
      ...person,
      ...place,
      avatarFileId: facts.avatarFileId ?? null,
      specialty: facts.specialty ?? '',
      intro: facts.intro ?? '',
      diseaseIds: [...new Set(facts.diseaseIds)],
      sourceType,
      ...createdColumns(ctx),
    })
    .returning(['id', 'doctorNo', 'operatorId', 'version'])
    .executeTakeFirstOrThrow();
  await moveState(ctx, accountMachine, {
    targetType: 'doctor.doctor',
    targetId: row.id,
    targetNo: doctorNo,
    action: 'add',
    from: 'NORMAL',
  });
  return row;
}
