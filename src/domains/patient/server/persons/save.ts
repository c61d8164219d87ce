import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { patientProfileChanged } from '#events/patient.ts';
import { addPatient, modifyPatient } from '../../contract/calls/sufferer.ts';
import { genders, idTypes, insuranceTypes } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientMachine } from '../../contract/states.ts';
import { lockPatient } from '../access.ts';
import { lockKeys, ownTx } from '../database.ts';
import { idNoColumns, mobileColumns, plain } from '../sensitive.ts';
import { completeIdentity, requireMobile } from './check.ts';
import { findDuplicates, likenessKeys, SAME_NUMBER, shown, type Candidate } from './duplicates.ts';
import { insertPatient, suggestMerge } from './insert.ts';

export const TARGET = 'patient.patient';
const labels = {
  name: '姓名',
  gender: '性别',
  idType: '证件类型',
  idNoMasked: '证件号',
  birthDate: '出生日期',
  mobileMasked: '手机号',
  adcode: '地区',
  occupation: '职业',
  medicalInsuranceType: '医保类型',
  heightCm: '身高',
  weightG: '体重',
  bloodType: '血型',
  smoking: '吸烟',
  drinking: '饮酒',
  pregnancyState: '孕产状态',
};
/** Medical text never stands in the log: it says only that it changed. */
const medicalLabels = { allergyHistory: '过敏史', pastHistory: '既往史', familyHistory: '家族史' };

const readable = <T extends { gender: number; idType: string | null; medicalInsuranceType: string | null }>(row: T) => ({
  ...row,
  gender: genders.label(String(row.gender)),
  idType: row.idType && idTypes.label(row.idType),
  medicalInsuranceType: row.medicalInsuranceType && insuranceTypes.label(row.medicalInsuranceType),
});

/** @throws Refusal SCM09012 when the number belongs to somebody verified */
function requireFreeNumber(candidates: readonly Candidate[]): void {
  const taken = candidates.find(({ score, real }) => score >= SAME_NUMBER && real);
  if (taken)
    throw refuse(
      patientErrors.ID_TAKEN,
      { patientNo: taken.patientNo },
      { fields: [{ path: 'idNo', message: '该证件号已被其他患者实名' }] },
    );
}

export const saveHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addPatient, async ({ confirmed, address, ...entered }, ctx) => {
    const person = completeIdentity(entered, ctx.today);
    requireMobile(person.mobile);
    const likeness = {
      name: person.name,
      birthDate: person.birthDate,
      ...idNoColumns(kernel.secrets, person.idNo),
      ...mobileColumns(kernel.secrets, person.mobile),
    };
    await lockKeys(ctx.tx, likenessKeys(likeness));
    const candidates = await findDuplicates(ctx.tx, likeness, ctx.today);
    requireFreeNumber(candidates);
    const possibleDuplicates = candidates.map(shown);
    if (candidates.length > 0 && !confirmed)
      throw refuse(patientErrors.DUPLICATE, { n: candidates.length }, { data: { possibleDuplicates } });
    const { name, gender, idType, idNo, birthDate, mobile, adcode, ...more } = person;
    const made = await insertPatient(
      kernel,
      ctx,
      { name, gender, idType, idNo, birthDate, mobile, adcode, address, source: 'STAFF', more },
      { now: ctx.now, userId: ctx.staff.userId },
    );
    const mergeNo = await suggestMerge(kernel, ctx, made.id, candidates, ctx.now);
    ctx.target({ type: TARGET, id: made.id, no: made.patientNo });
    ctx.changed([{ path: 'name', label: labels.name, before: null, after: name }]);
    return { patientId: made.id, patientNo: made.patientNo, version: 1, possibleDuplicates, mergeNo };
  }),
  command(modifyPatient, async ({ patientId, version, idNo, mobile, address, ...entered }, ctx) => {
    const before = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    await requireVersion(ctx, TARGET, before, version, () => ({
      name: before.name,
      gender: before.gender,
      birthDate: before.birthDate,
      mobileMasked: before.mobileMasked,
      idNoMasked: before.idNoMasked,
      allergyHistory: before.allergyHistory,
    }));
    const held = plain(kernel.secrets, before.idNoCipher);
    const person = completeIdentity({ ...entered, idNo: idNo === undefined ? held : idNo || null }, ctx.today);
    if (mobile !== undefined) requireMobile(mobile);
    if (
      before.realNameState === 'VERIFIED' &&
      (person.name !== before.name ||
        person.gender !== before.gender ||
        person.idType !== before.idType ||
        person.idNo !== held ||
        person.birthDate !== before.birthDate)
    ) {
      throw refuse(patientErrors.VERIFIED_LOCKED);
    }
    const { idNo: number, ...facts } = person;
    const columns = {
      ...facts,
      ...(number === held ? {} : idNoColumns(kernel.secrets, number)),
      ...(mobile === undefined ? {} : mobileColumns(kernel.secrets, mobile)),
      ...(address === undefined ? {} : { addressCipher: address ? kernel.secrets.encrypt(address) : null }),
    };
    const likeness = { ...before, ...columns };
    await lockKeys(ctx.tx, likenessKeys(likeness));
    const candidates = await findDuplicates(ctx.tx, likeness, ctx.today, before.id);
    if (number !== held) requireFreeNumber(candidates);
    const row = await ownTx(ctx.tx)
      .updateTable('patientPatient')
      .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const differences = [
      ...differencesOf(readable(before), readable(row), labels),
      ...differencesOf(before, row, medicalLabels).map((change) => ({ ...change, before: '原内容', after: '已修改' })),
      ...(address === undefined ? [] : [{ path: 'address', label: '详细地址', before: '原内容', after: '已修改' }]),
    ];
    await moveState(ctx, patientMachine, {
      targetType: TARGET,
      targetId: before.id,
      targetNo: before.patientNo,
      action: 'edit',
      from: before.state,
      differences,
    });
    if (row.name !== before.name)
      await ctx.publish(patientProfileChanged, before.id, { patientId: before.id, operatorId: null, nick: row.name, avatarFileId: null });
    return {
      patientId: before.id,
      patientNo: before.patientNo,
      version: row.version,
      possibleDuplicates: candidates.map(shown),
      mergeNo: null,
    };
  }),
];
