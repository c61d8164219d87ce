import type * as z from 'zod/mini';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { sealed, unsealed } from '#kernel/server/review/readings.ts';
import { icd10 as icd10Named } from '#domains/identity/server/index.ts';
import { getEnrolConfig, getInsurer, resolveVersion } from '#domains/insurance/server/index.ts';
import { getHospitals } from '#domains/institution/server/index.ts';
import { idTypes as patientIdTypes, type IdType } from '#domains/patient/contract/dictionaries.ts';
import { findOrCreate } from '#domains/patient/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import type { ApplySource } from '../../contract/applyDictionaries.ts';
import type { applyFields } from '../../contract/applyFields.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { enrolmentErrors as errors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { numberColumns } from '../marks/person.ts';
import { enrolReview } from '../review.ts';
import { tryAutoPass } from './autoPass.ts';
import { FIRST_REVIEW, started } from './clock.ts';
import { publishApply } from './events.ts';
import { findAgain, indicationsOf, liveContractNoOf, marksOf, openNoOf } from './facts.ts';
import { attachMaterials } from './files.ts';
import { APPLY_TARGET, ownerOf, type ApplyRecord } from './records.ts';
import { reopen } from './reopen.ts';

type Wish = { [Key in keyof typeof applyFields]: z.output<(typeof applyFields)[Key]> };
export type Insured = NonNullable<Awaited<ReturnType<typeof getInsuredForEnrol>>>;

/** Where an application comes from, and who uploaded its files. */
export interface Origin {
  source: ApplySource;
  uploaderId: string;
  externalNo?: string;
  externalHash?: string;
  insurerCaseNo?: string | undefined;
}

const ID_TYPES: Readonly<Record<string, IdType>> = { ID_CARD: 'ID', HK_MO: 'HKMO' };
const patientIdType = (code: string): IdType | null => ID_TYPES[code] ?? patientIdTypes.codes.find((one) => one === code) ?? null;
type Line = ApplyRecord['productLine'];
const isLine = (line: string): line is Line => line !== 'DAAS';

/** The insured person of an application. @throws Refusal SCM14004, SCM14036 */
export async function insuredOf(tx: Tx, insuredItemId: string, today: string): Promise<Insured & { productLine: Line }> {
  const insured = await getInsuredForEnrol(tx, { insuredItemId, today });
  if (!insured) throw refuse(errors.NOT_LISTED);
  const { productLine } = insured;
  if (!isLine(productLine)) throw refuse(errors.NO_APPLICATION);
  return { ...insured, productLine };
}

/** What the product asks of the drug and the disease. @throws Refusal SCM90020 */
async function drugOf(tx: Tx, wish: Wish, productVersionId: string) {
  const config = await getEnrolConfig(tx, productVersionId);
  const perDrug = indicationsOf(config, null).prefixes !== null;
  if (!perDrug && wish.drugId === null) return { drugId: null, drugKey: '*', drugName: null };
  if (wish.drugId === null) throw refuseField('drugId', '请选择申请药品');
  if (perDrug && !config.indications.some(({ medicineId }) => medicineId === wish.drugId))
    throw refuseField('drugId', '申请药品不在产品的药品目录内');
  const [medicine] = await getMedicines(tx, [wish.drugId]);
  if (!medicine) throw refuseField('drugId', '申请药品不存在');
  return { drugId: wish.drugId, drugKey: perDrug ? wish.drugId : '*', drugName: medicine.brandName || medicine.genericName };
}

async function hospitalOf(tx: Tx, { hospitalId }: Wish, productLine: Line) {
  if (hospitalId === null) {
    if (productLine !== 'HMO') throw refuseField('hospitalId', '请选择就诊医院');
    return { hospitalId: null, hospitalName: null, hospitalGrade: null };
  }
  const [hospital] = await getHospitals(tx, [hospitalId]);
  if (!hospital) throw refuse(platformErrors.NOT_FOUND, { message: '就诊医院不存在或已删除' });
  return { hospitalId: hospital.hospitalId, hospitalName: hospital.name, hospitalGrade: hospital.level };
}

/** What belongs to one line alone. @throws Refusal SCM90020 */
function lineFields(wish: Wish, productLine: Line) {
  if (productLine === 'RSB' && wish.baseline === null) throw refuseField('baseline', '请填写疗效基线');
  const hmo = productLine === 'HMO';
  return {
    baseline: productLine === 'RSB' ? json(wish.baseline) : null,
    healthDeclaration: hmo ? wish.healthDeclaration : null,
    measures: hmo && wish.measures !== null ? json(wish.measures) : null,
  };
}

/** Columns of what somebody wrote. @param kept what stands there: an empty secret leaves it */
async function wishColumns(kernel: Kernel, ctx: Acting, wish: Wish, insured: Insured & { productLine: Line }, kept?: ApplyRecord) {
  if (wish.firstDiagnosedOn > ctx.today) throw refuseField('firstDiagnosedOn', '确诊日期不能晚于今天');
  if ((await icd10Named(ctx.tx, [wish.icd10])).length === 0) throw refuseField('icd10', 'ICD-10编码不存在');
  const { secrets } = kernel;
  const applicant = numberColumns(secrets, { mobile: wish.applicantMobile, idNo: wish.applicantIdNo });
  const self = wish.applicantRelation === 'SELF';
  const given = {
    ...(wish.pathologyResult && { pathologyResult: wish.pathologyResult }),
    ...(wish.geneResult && { geneResult: wish.geneResult }),
  };
  const medical = insured.productLine === 'HMO' ? {} : { ...(kept && unsealed(secrets, kept.medicalCipher)), ...given };
  return {
    enrolType: wish.enrolType,
    applicantRelation: wish.applicantRelation,
    applicantName: self ? null : wish.applicantName,
    ...(self
      ? { applicantIdNoCipher: null, applicantIdNoMasked: null, applicantMobileCipher: null, applicantMobileMasked: null }
      : {
          applicantIdNoCipher: applicant.idNoCipher ?? kept?.applicantIdNoCipher ?? null,
          applicantIdNoMasked: applicant.idNoMasked ?? kept?.applicantIdNoMasked ?? null,
          applicantMobileCipher: applicant.mobileCipher ?? kept?.applicantMobileCipher ?? null,
          applicantMobileMasked: applicant.mobileMasked ?? kept?.applicantMobileMasked ?? null,
        }),
    addressCipher: wish.address === null ? (kept?.addressCipher ?? null) : secrets.encrypt(wish.address),
    adcode: wish.adcode,
    diseaseName: wish.diseaseName,
    icd10: wish.icd10,
    firstDiagnosedOn: wish.firstDiagnosedOn,
    stage: wish.stage,
    medicalCipher: sealed(secrets, medical),
    ...(await drugOf(ctx.tx, wish, insured.productVersionId)),
    dosePlan: wish.dosePlan,
    ...(await hospitalOf(ctx.tx, wish, insured.productLine)),
    departmentName: wish.departmentName,
    doctorName: wish.doctorName,
    ...lineFields(wish, insured.productLine),
  };
}

/** Columns that follow from the insured list and are pinned when the application is handed in. */
async function insuredColumns(kernel: Kernel, tx: Tx, insured: Insured & { productLine: Line }) {
  const plain = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
  const numbers = numberColumns(kernel.secrets, { mobile: plain(insured.mobileCipher), idNo: plain(insured.idNoCipher) });
  const start = insured.coveredFrom ?? insured.coverageStart;
  const version = start === null ? null : await resolveVersion(tx, insured.productId, start);
  const insurer = insured.insurerId === null ? null : await getInsurer(tx, insured.insurerId);
  return {
    productLine: insured.productLine,
    insuredItemId: insured.insuredItemId,
    policyId: insured.policyId,
    policyNo: insured.policyNo,
    insurerId: insured.insurerId,
    insurerName: insurer?.shortName ?? null,
    productId: insured.productId,
    productName: version?.productName ?? '',
    productVersionId: insured.productVersionId,
    planCode: insured.planCode,
    coverageStart: start,
    coverageEnd: insured.coveredTo ?? insured.coverageEnd,
    insuredName: insured.name,
    idType: insured.idType,
    ...numbers,
    idNoHash: insured.idNoHash,
    mobileHash: insured.mobileHash,
    gender: insured.gender,
    birthDate: insured.birthDate,
    patientId: insured.patientId,
  };
}

/** One after the other, whoever applies for the same person, product and drug. @throws Refusal SCM14001, SCM14002 */
export async function requireFree(
  tx: Tx,
  key: Pick<ApplyRecord, 'insuredItemId' | 'productId' | 'drugKey'> & { id?: string },
): Promise<void> {
  await lockKeys(tx, 'enrolment.person', [`${key.insuredItemId}/${key.productId}/${key.drugKey}`]);
  const applyNo = await openNoOf(tx, key);
  if (applyNo !== null) throw refuse(errors.APPLY_OPEN, { applyNo });
  const contractNo = await liveContractNoOf(tx, key);
  if (contractNo !== null) throw refuse(errors.CONTRACT_LIVE, { contractNo });
}

/** A draft. @throws Refusal SCM14001, SCM14002, SCM14004, SCM14036, SCM90020 */
export async function enterApply(kernel: Kernel, ctx: Acting, insuredItemId: string, wish: Wish, origin: Origin): Promise<ApplyRecord> {
  const insured = await insuredOf(ctx.tx, insuredItemId, ctx.today);
  const columns = { ...(await insuredColumns(kernel, ctx.tx, insured)), ...(await wishColumns(kernel, ctx, wish, insured)) };
  await requireFree(ctx.tx, columns);
  const apply = await own(ctx.tx)
    .insertInto('enrolmentApply')
    .values({
      ...columns,
      applyNo: await nextNumber(ctx.tx, 'RZ', ctx.today),
      externalNo: origin.externalNo ?? null,
      externalHash: origin.externalHash ?? null,
      insurerCaseNo: insured.productLine === 'SAAS' ? (origin.insurerCaseNo ?? null) : null,
      source: origin.source,
      state: 'DRAFT',
      enteredStateAt: ctx.now,
      enteredBy: ctx.staffOrNull?.userId ?? null,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addMaterials(kernel, ctx, apply, wish.materials, origin.uploaderId);
  ctx.target({ type: APPLY_TARGET, id: apply.id, no: apply.applyNo });
  return apply;
}

/** What a draft says now; its person stays. */
export async function changeDraft(kernel: Kernel, ctx: Acting, draft: ApplyRecord, wish: Wish, uploaderId: string): Promise<ApplyRecord> {
  if (draft.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: applyMachine.states[draft.state].label });
  const insured = await insuredOf(ctx.tx, draft.insuredItemId, ctx.today);
  const columns = await wishColumns(kernel, ctx, wish, insured, draft);
  await requireFree(ctx.tx, { ...draft, ...columns });
  const apply = await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addMaterials(kernel, ctx, apply, wish.materials, uploaderId);
  ctx.target({ type: APPLY_TARGET, id: apply.id, no: apply.applyNo });
  return apply;
}

async function addMaterials(
  kernel: Kernel,
  ctx: Acting,
  apply: ApplyRecord,
  materials: Wish['materials'],
  uploaderId: string,
): Promise<void> {
  const review = enrolReview(kernel.secrets);
  const known = new Set((await review.materials.of(ctx.tx, ownerOf(apply))).map(({ fileId }) => fileId));
  const fresh = materials.filter(({ fileId }) => !known.has(fileId));
  await attachMaterials(ctx, apply.id, fresh, uploaderId);
  await review.materials.add(ctx, ownerOf(apply), fresh, { personKey: apply.idNoHash });
}

/** The record of the insured person; where he has none he gets one. */
async function patientOf(kernel: Kernel, ctx: Acting, apply: ApplyRecord): Promise<string> {
  if (apply.patientId !== null) return apply.patientId;
  const plain = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
  const idNo = plain(apply.idNoCipher);
  const { patientId } = await findOrCreate(
    kernel,
    ctx,
    {
      name: apply.insuredName,
      idType: idNo === null ? null : patientIdType(apply.idType),
      idNo,
      gender: apply.gender === 'M' ? 1 : apply.gender === 'F' ? 2 : 0,
      birthDate: apply.birthDate,
      mobile: plain(apply.mobileCipher),
      adcode: apply.adcode,
      insurerId: apply.insurerId,
    },
    'POLICY',
    ctx.now,
  );
  return patientId;
}

/** @throws Refusal SCM14001 to SCM14005, SCM14036 */
export async function submitApply(kernel: Kernel, ctx: Acting, draft: ApplyRecord): Promise<ApplyRecord> {
  const insured = await insuredOf(ctx.tx, draft.insuredItemId, ctx.today);
  if (!insured.covered) throw refuse(errors.NOT_COVERED);
  await requireFree(ctx.tx, draft);
  const pinned = await insuredColumns(kernel, ctx.tx, insured);
  const now: ApplyRecord = { ...draft, ...pinned };
  const block = (await marksOf(ctx.tx, now, ctx.today)).find(({ markType }) => markType === 'BLOCK');
  if (block) throw refuse(errors.BLOCKED, { reason: block.reason });
  const state = await moveState(ctx, applyMachine, {
    targetType: APPLY_TARGET,
    targetId: draft.id,
    targetNo: draft.applyNo,
    action: 'submit',
    from: draft.state,
  });
  const apply = await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set({
      ...pinned,
      patientId: await patientOf(kernel, ctx, now),
      state,
      submittedAt: ctx.now,
      ...(await started(ctx.tx, ctx.now, FIRST_REVIEW)),
      version: draft.version + 1,
      ...updatedColumns(ctx),
    })
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const findings = await findAgain(kernel, ctx, apply);
  await publishApply(ctx, apply, 'submitted');
  return tryAutoPass(kernel, ctx, apply, findings);
}

/** What a supplement asked for is handed in: the checks begin anew, and whoever asked is served first. @throws Refusal SCM14029 */
export async function supplyApply(kernel: Kernel, ctx: Acting, apply: ApplyRecord, materials: Wish['materials'], uploaderId: string) {
  await moveState(ctx, applyMachine, {
    targetType: APPLY_TARGET,
    targetId: apply.id,
    targetNo: apply.applyNo,
    action: 'supply',
    from: apply.state,
  });
  await attachMaterials(ctx, apply.id, materials, uploaderId);
  await enrolReview(kernel.secrets).supplements.supply(ctx, ownerOf(apply), materials, { personKey: apply.idNoHash });
  return reopen(kernel, ctx, apply);
}
