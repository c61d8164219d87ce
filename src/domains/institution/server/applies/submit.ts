import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { institutionErrors } from '../../contract/errors.ts';
import type { HospitalFacts } from '../../contract/hospitalCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { applyMachine } from '../../contract/states.ts';
import { hospitalRecords, everyone, type ApplyRecord, type HospitalRecord, type Seer } from '../access.ts';
import { json, ownTx } from '../database.ts';
import { findCandidates } from '../hospitals/candidates.ts';
import { requireInside, factsOf } from '../hospitals/facts.ts';
import { requireUnique } from '../hospitals/save.ts';
import { attachPapers } from '../papers.ts';
import { requirePlace } from '../regions.ts';
import { grams, normName } from '../rules/normName.ts';

export type ApplyPayload = { [K in keyof HospitalFacts]?: HospitalFacts[K] | undefined };
export interface Applicant {
  type: 'DOCTOR' | 'AGENT' | 'STAFF';
  id: string;
  name: string;
  mobile?: string | null | undefined;
}
export interface ApplyRequest {
  applyType: 'CREATE' | 'MODIFY' | 'LEVEL' | 'DISABLE';
  hospitalId: string | null;
  payload: ApplyPayload;
  evidenceFileIds: readonly string[];
  reason: string;
}

export const applyTodoKey = (applyId: string) => `institution.apply:${applyId}`;

/** What is compared of a request, however little of it is filled in. */
export const comparable = (payload: ApplyPayload, place: { cityAdcode: string; province: string; city: string }) => {
  const norm = normName(payload.name ?? '', place);
  return {
    id: null,
    normName: norm,
    nameGrams: grams(norm),
    aliasNorms: [],
    cityAdcode: place.cityAdcode,
    uscc: payload.uscc ?? null,
    licenceNo: payload.licenceNo ?? null,
    nhsaCode: payload.nhsaCode ?? null,
    lngE6: payload.lngE6 ?? null,
    latE6: payload.latE6 ?? null,
    phone: payload.phone ?? '',
    kind: payload.kind ?? 'GENERAL',
    parentId: payload.parentId ?? null,
  };
};

async function changed(ctx: CommandContext, request: ApplyRequest, seer: Seer): Promise<HospitalRecord> {
  if (request.hospitalId === null) throw refuseField('hospitalId', '请选择医院');
  const hospital = await hospitalRecords.get(ctx.tx, seer, request.hospitalId);
  if (hospital.state === 'MERGED') throw refuse(institutionErrors.ALREADY_MERGED);
  if (request.applyType === 'LEVEL' && (request.payload.level === undefined || request.payload.level === hospital.level))
    throw refuseField('payload.level', '请选择新的医院等级');
  if (request.applyType === 'LEVEL' && request.evidenceFileIds.length === 0) throw refuseField('evidenceFileIds', '请上传等级批文');
  if (request.applyType === 'MODIFY') {
    const facts = factsOf(hospital);
    const differs = Object.entries(request.payload).some(
      ([key, value]) => value !== undefined && value !== facts[key as keyof HospitalFacts],
    );
    if (!differs) throw refuseField('payload', '没有需要变更的内容');
  }
  if (request.applyType === 'DISABLE' && request.reason.trim() === '') throw refuseField('reason', '请填写停用原因');
  return hospital;
}

/**
 * Files a request to create a hospital or to change checked facts of one; used by staff and by other domains.
 * @throws Refusal SCM06024 when the hospital exists already, SCM06035, SCM90020, SCM90040.
 */
export async function submitApply(ctx: CommandContext, kernel: Kernel, request: ApplyRequest, applicant: Applicant): Promise<ApplyRecord> {
  const tx = ownTx(ctx.tx);
  const seer = ctx.staffOrNull ?? everyone;
  let { payload } = request;
  let before: HospitalFacts | null = null;
  let topScore = 0;
  let candidates: { hospitalId: string; score: number; why: string[] }[] = [];
  let name = payload.name ?? '';
  let adcode = payload.adcode ?? null;
  if (request.applyType === 'CREATE') {
    if (name === '') throw refuseField('payload.name', '请输入医院名称');
    if (adcode === null) throw refuseField('payload.adcode', '请选择省市区');
    const place = await requirePlace(ctx.tx, adcode);
    requireInside({ lngE6: payload.lngE6 ?? null, latE6: payload.latE6 ?? null }, place.adcode);
    adcode = place.adcode;
    payload = { ...payload, adcode };
    const wanted = comparable(payload, place);
    await requireUnique(ctx.tx, wanted, null);
    const found = await findCandidates(ctx.tx, wanted);
    candidates = found.map(({ hospitalId, score, why }) => ({ hospitalId, score, why }));
    topScore = found[0]?.score ?? 0;
  } else {
    const hospital = await changed(ctx, request, seer);
    before = factsOf(hospital);
    name = payload.name ?? hospital.name;
    adcode = payload.adcode ?? hospital.adcode;
  }
  const row = await tx
    .insertInto('institutionHospitalApply')
    .values({
      applyNo: await nextNumber(ctx.tx, 'YA', ctx.today),
      applyType: request.applyType,
      hospitalId: request.applyType === 'CREATE' ? null : request.hospitalId,
      payload: json(payload),
      before: before === null ? null : json(before),
      name,
      level: payload.level ?? before?.level ?? null,
      adcode,
      applicantType: applicant.type,
      applicantId: applicant.id,
      applicantName: applicant.name,
      applicantMobileCipher: applicant.mobile ? kernel.secrets.encrypt(applicant.mobile) : null,
      evidenceFileIds: [...request.evidenceFileIds],
      candidates: json(candidates),
      topScore,
      reason: request.reason,
      state: 'PENDING',
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await attachPapers(ctx, { type: 'institution.hospitalApply', id: row.id, field: 'evidence' }, request.evidenceFileIds);
  await moveState(ctx, applyMachine, {
    targetType: 'institution.hospitalApply',
    targetId: row.id,
    targetNo: row.applyNo,
    action: 'submit',
    from: 'PENDING',
  });
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: applyTodoKey(row.id),
      title: `医院申请待审核：${name}`,
      link: `/hospitalManagementAudit?applyId=${row.id}`,
      permission: institutionPermissions['apply.audit'].code,
    },
    ctx.now,
  );
  return row;
}
