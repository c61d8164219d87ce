import { plusDays } from '#kernel/contract/time.ts';
import { ownAmong } from '#kernel/server/audit/fourEyes.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { leaseOf, shownLease } from '#kernel/server/lease/lease.ts';
import { unsealed } from '#kernel/server/review/readings.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { idTypes } from '#domains/policy/contract/dictionaries.ts';
import { recheckReasons } from '../../contract/applyDictionaries.ts';
import type { Baseline, Measures } from '../../contract/applyFields.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import { revealSignContract, type ApplyDetail } from '../../contract/calls/applies.ts';
import { markTypes } from '../../contract/markStates.ts';
import { ENROL_APPLY, enrolReview } from '../review.ts';
import { decisionsOf } from './decisions.ts';
import { checksOf, marksOf, requiredOf } from './facts.ts';
import { offeredActions, revocable } from './offered.ts';
import { applyRecords, APPLY_TARGET, ownerOf, type ApplyRecord } from './records.ts';
import { nextStep, proposedGrade } from './rules.ts';

const STEPS = { APPROVED: '将生成签约合同', WAIT_INSURER: '将提交保司确认' } as const;

/** Duplicates with what they are called; those that somebody may not see are named no further. */
async function shownDuplicates(kernel: Kernel, ctx: QueryContext, apply: ApplyRecord): Promise<ApplyDetail['duplicates']> {
  const found = await enrolReview(kernel.secrets).duplicates.of(ctx.db, ownerOf(apply));
  const ids = found.flatMap(({ otherType, otherId }) => (otherType === ENROL_APPLY ? [otherId] : []));
  const others =
    ids.length === 0
      ? []
      : await applyRecords
          .seen(ctx.db, ctx.staff)
          .select(['a.id', 'a.applyNo', 'a.insuredName', 'a.state', 'a.productName'])
          .where('a.id', 'in', ids)
          .execute();
  return found.map((one) => {
    const other = one.otherType === ENROL_APPLY ? others.find(({ id }) => id === one.otherId) : undefined;
    return {
      ...one,
      otherNo: other?.applyNo ?? null,
      otherText: other
        ? `${other.insuredName} · ${other.productName} · ${applyMachine.states[other.state].label}`
        : one.otherType === ENROL_APPLY
          ? '其他申请'
          : '其他材料',
    };
  });
}

/** One application with everything that its reviewer needs. */
export async function loadApply(kernel: Kernel, ctx: QueryContext, applyId: string): Promise<ApplyDetail> {
  const row = await applyRecords.get(ctx.db, ctx.staff, applyId);
  const config = await getEnrolConfig(ctx.db, row.productVersionId);
  const review = enrolReview(kernel.secrets);
  const owner = ownerOf(row);
  const checks = await checksOf(ctx.db, row);
  const marks = await marksOf(ctx.db, row, ctx.today);
  const lease = shownLease(await leaseOf(ctx.db, { type: APPLY_TARGET, id: row.id }, ctx.now), ctx.staff);
  const medical = unsealed<'pathologyResult' | 'geneResult'>(kernel.secrets, row.medicalCipher);
  const measures = row.measures as Measures | null;
  const wait = config.diseaseWaitingDays || config.waitingDays;
  const next = nextStep({
    ...row,
    ...config,
    checks,
    forced: marks.some(({ markType }) => markType === 'FORCE_RECHECK'),
  });
  const decides = row.enteredBy === ctx.staff.userId || (await ownAmong(ctx.db, ctx.staff, APPLY_TARGET, [row.id])).size > 0;
  const current = await applyRecords
    .seen(ctx.db, ctx.staff)
    .select(revocable.as('revocable'))
    .where('a.id', '=', row.id)
    .executeTakeFirstOrThrow();
  const { idType, enteredBy: _enterer, ...shown } = row;
  return {
    id: shown.id,
    applyNo: shown.applyNo,
    variant: shown.productLine,
    productLine: shown.productLine,
    enrolType: shown.enrolType,
    source: shown.source,
    state: shown.state,
    round: shown.round,
    submittedAt: shown.submittedAt,
    dueAt: shown.slaDueAt,
    insuredItemId: shown.insuredItemId,
    insuredName: shown.insuredName,
    idType: idTypes.label(idType),
    idNo: shown.idNoMasked,
    gender: shown.gender,
    birthDate: shown.birthDate,
    mobile: shown.mobileMasked,
    patientId: shown.patientId,
    applicantRelation: shown.applicantRelation,
    applicantName: shown.applicantName,
    applicantIdNo: shown.applicantIdNoMasked,
    applicantMobile: shown.applicantMobileMasked,
    hasAddress: shown.addressCipher !== null,
    adcode: shown.adcode,
    policyId: shown.policyId,
    policyNo: shown.policyNo,
    insurerName: shown.insurerName,
    productId: shown.productId,
    productName: shown.productName,
    planCode: shown.planCode,
    coverageStart: shown.coverageStart,
    coverageEnd: shown.coverageEnd,
    waitingUntil: wait > 0 && shown.coverageStart !== null ? plusDays(shown.coverageStart, wait - 1) : null,
    preExisting: config.preExistingCovered ? '保障既往症' : '不保障既往症',
    diseaseName: shown.diseaseName,
    icd10: shown.icd10,
    firstDiagnosedOn: shown.firstDiagnosedOn,
    stage: shown.stage,
    hasPathology: medical.pathologyResult !== undefined,
    hasGene: medical.geneResult !== undefined,
    drugId: shown.drugId,
    drugName: shown.drugName,
    dosePlan: shown.dosePlan,
    hospitalId: shown.hospitalId,
    hospitalName: shown.hospitalName,
    hospitalGrade: shown.hospitalGrade,
    departmentName: shown.departmentName,
    doctorName: shown.doctorName,
    baseline: shown.baseline as Baseline | null,
    healthDeclaration: shown.healthDeclaration,
    measures,
    chronicGrade: shown.chronicGrade,
    proposedGrade: proposedGrade(measures),
    gradeNote: shown.gradeNote,
    insurerCaseNo: shown.insurerCaseNo,
    insurerSentAt: shown.insurerSentAt,
    insurerDecision: shown.insurerDecision,
    insurerOpinion: shown.insurerOpinion,
    insurerDecidedAt: shown.insurerDecidedAt,
    insurerEvidenceFileId: shown.insurerEvidenceFileId,
    feeFen: shown.productLine === 'SAAS' ? null : config.feeFen,
    payMode: shown.productLine === 'SAAS' ? null : config.payMode,
    termMonths: config.termMonths,
    markText: marks.map(({ markType, reason }) => `${markTypes.label(markType)}（${reason}）`).join('；'),
    requiredMaterials: requiredOf(config, row),
    materials: await review.materials.of(ctx.db, owner),
    checks,
    duplicates: await shownDuplicates(kernel, ctx, row),
    decisions: (await decisionsOf(ctx.db, row.id)).map(({ userId: _user, reasons, ...one }) => ({
      ...one,
      reasons: reasons as ApplyDetail['rejectReasons'],
    })),
    supplements: await review.supplements.of(ctx.db, owner),
    nextStep: next.state === 'RECHECK' ? `将进入复核：${recheckReasons.label(next.reason)}` : STEPS[next.state],
    recheckReason: shown.recheckReason,
    rejectReasons: shown.rejectReasons as ApplyDetail['rejectReasons'],
    applicantWording: shown.applicantWording,
    internalNote: shown.internalNote,
    contractId: shown.contractId,
    lease: lease && { ...lease, token: lease.mine ? row.leaseToken : null },
    ownPart: decides,
    version: shown.version,
    allowedActions: offeredActions({ ...row, ...current }, ctx.now, (permission) => ctx.has(permission)),
    trail: await trailOf(ctx.db, APPLY_TARGET, row.id),
  };
}

/** Numbers and findings in full; the look is logged with the application. */
export const reveal = (kernel: Kernel) =>
  command(revealSignContract, async ({ applyId }, ctx) => {
    const row = await applyRecords.get(ctx.tx, ctx.staff, applyId);
    const plain = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
    const { pathologyResult = null, geneResult = null } = unsealed<'pathologyResult' | 'geneResult'>(kernel.secrets, row.medicalCipher);
    ctx.target({ type: APPLY_TARGET, id: applyId, no: row.applyNo, looked: true });
    return {
      idNo: plain(row.idNoCipher),
      mobile: plain(row.mobileCipher),
      applicantIdNo: plain(row.applicantIdNoCipher),
      applicantMobile: plain(row.applicantMobileCipher),
      address: plain(row.addressCipher),
      pathologyResult,
      geneResult,
    };
  });
