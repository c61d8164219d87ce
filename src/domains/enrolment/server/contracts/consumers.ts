import { plusDays } from '#kernel/contract/time.ts';
import type { PayloadOf } from '#kernel/contract/event.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Consumer, ConsumerContext, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { insuredAdded, insuredRemoved, policyReinstated, policyRenewed, policySuspended, policyTerminated } from '#events/policy.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { ageOn, findOrCreate } from '#domains/patient/server/index.ts';
import type { IdType } from '#domains/patient/contract/dictionaries.ts';
import type { getInsuredForEnrol } from '#domains/policy/server/index.ts';
import { contractPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import type { ContractRecord } from './access.ts';
import { isReviewOverdue } from './actions.ts';
import { insuredWithCover, isCovered } from './begin.ts';
import { moveContract, writeContract } from './move.ts';
import { liveContract, openContract } from './open.ts';
import { publishChange } from './publish.ts';

const HEARER = 'enrolment';
const acting = (ctx: ConsumerContext): Acting => asSystem(ctx, ctx);
/** Certificates of policy as patient names them. */
const ID_TYPES: Readonly<Record<string, IdType>> = { ID_CARD: 'ID', HK_MO: 'HKMO' };
const GENDERS: Readonly<Record<string, 1 | 2>> = { M: 1, F: 2 };

type Insured = NonNullable<Awaited<ReturnType<typeof getInsuredForEnrol>>>;

async function patientOf(kernel: Kernel, ctx: Acting, insured: Insured): Promise<string> {
  if (insured.patientId !== null) return insured.patientId;
  const plain = (cipher: string | null) => (cipher === null ? null : kernel.secrets.decrypt(cipher));
  const idNo = plain(insured.idNoCipher);
  const found = await findOrCreate(
    kernel,
    ctx,
    {
      name: insured.name,
      gender: GENDERS[insured.gender ?? ''] ?? 0,
      idType: idNo === null ? null : (ID_TYPES[insured.idType] ?? null),
      idNo: idNo !== null && insured.idType in ID_TYPES ? idNo : null,
      birthDate: insured.birthDate,
      mobile: plain(insured.mobileCipher),
      insurerId: insured.insurerId,
    },
    'POLICY',
    ctx.now,
  );
  return found.patientId;
}

/** The last contract of the same person and product, which this one goes on with. */
async function formerContract(ctx: Acting, insured: Insured) {
  if (insured.idNoHash === null) return undefined;
  return own(ctx.tx)
    .selectFrom('enrolmentContract')
    .select(['id', 'chainId', 'renewSeq', 'state', 'endDate', 'coverageEnd'])
    .where('idNoHash', '=', insured.idNoHash)
    .where('productId', '=', insured.productId)
    .where('origin', '=', 'AUTO')
    .where('policyId', '<>', insured.policyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * R7: whoever comes into a list of a DAAS product has a contract for as long as he is covered. Two covers of a day give one, a repeated
 * event none, and whom the product's rules do not take gets none.
 */
export async function openByList(kernel: Kernel, ctx: Acting, insuredItemId: string): Promise<string | null> {
  const insured = await insuredWithCover(ctx, { insuredItemId });
  if (insured?.productLine !== 'DAAS') return null;
  const start = insured.coveredFrom ?? insured.coverageStart;
  const end = insured.coveredTo ?? insured.coverageEnd;
  if (start === null || end === null || end < ctx.today) return null;
  await lockKeys(ctx.tx, 'enrolment.auto', [`${insured.idNoHash ?? insuredItemId}/${insured.productId}`]);
  if (await liveContract(ctx.tx, { insuredItemId, productId: insured.productId, drugKey: '*' })) return null;
  const former = await formerContract(ctx, insured);
  if (former && ['ACTIVE', 'NOT_STARTED', 'SUSPENDED'].includes(former.state) && start <= (former.endDate ?? former.coverageEnd))
    return null;
  const { ageMin, ageMax } = await getEnrolConfig(ctx.tx, insured.productVersionId);
  const age = insured.birthDate === null ? null : ageOn(insured.birthDate, start);
  if (age !== null && (age < ageMin || age > ageMax)) return null;
  const hasSuccessor =
    former &&
    (await own(ctx.tx).selectFrom('enrolmentContract').select('id').where('previousContractId', '=', former.id).executeTakeFirst());
  const { contractId } = await openContract(kernel, ctx, {
    applyId: null,
    origin: 'AUTO',
    productLine: 'DAAS',
    productId: insured.productId,
    productVersionId: insured.productVersionId,
    planCode: insured.planCode ?? '',
    insuredItemId,
    policyId: insured.policyId,
    policyNo: insured.policyNo,
    insurerId: insured.insurerId,
    adcode: insured.adcode,
    patientId: await patientOf(kernel, ctx, insured),
    hospitalId: null,
    drugKey: '*',
    drugIds: [],
    insured,
    coverageStart: start,
    coverageEnd: end,
    continuousFrom: insured.continuousFrom,
    hasSocial: insured.hasSocial,
    preExistingIcd: insured.preExistingIcd,
    familySubjectId: insured.familySubjectId,
    waived: false,
    ...(former && !hasSuccessor && { previous: former }),
  });
  return contractId;
}

/** Nothing of a contract is ended silently: it rests, and somebody is told. */
export async function loseCover(kernel: Pick<Kernel, 'ports'>, ctx: Acting, contract: ContractRecord, reason: string): Promise<void> {
  // Its own term is over too: it ends by itself.
  if (contract.endDate !== null && contract.endDate < ctx.today) return;
  if (contract.state === 'ACTIVE' && !(await isCovered(ctx, contract, ctx.today))) {
    const moved = await moveContract(ctx, contract, 'suspendBySystem', {
      suspendReason: 'POLICY',
      coverLostOn: contract.coverLostOn ?? ctx.today,
    });
    await publishChange(ctx, moved, 'suspended', { reason: 'POLICY', onDate: contract.coverLostOn ?? ctx.today });
  }
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: `enrolment.contract.cover.${contract.id}`,
      title: '合同失去保障，请核实后终止或恢复',
      body: `合同${contract.contractNo}（${contract.insuredName}）：${reason}`,
      link: `/signContractListDetail?contractId=${contract.id}`,
      permission: contractPermissions['contract.terminate'].code,
    },
    ctx.now,
  );
}

/** A contract that rested for the policy's sake goes on, unless a review is overdue. */
async function regainCover(kernel: Kernel, ctx: Acting, contract: ContractRecord): Promise<void> {
  if (!(await isCovered(ctx, contract, ctx.today))) return;
  const isBack = contract.state === 'SUSPENDED' && contract.suspendReason === 'POLICY';
  if (isBack && isReviewOverdue(contract, ctx.today)) {
    await writeContract(ctx, contract, { suspendReason: 'REVIEW_OVERDUE', coverLostOn: null });
  } else if (isBack) {
    const moved = await moveContract(ctx, contract, 'resumeBySystem', { coverLostOn: null });
    await publishChange(ctx, moved, 'resumed', { reason: 'POLICY', onDate: ctx.today });
  } else if (contract.coverLostOn !== null) await writeContract(ctx, contract, { coverLostOn: null });
  await kernel.ports.notices.closeTodo(ctx.tx, `enrolment.contract.cover.${contract.id}`, ctx.now);
}

const LIVE = ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'] as const;
async function liveOf(ctx: Acting, of: { policyId: string } | { insuredItemId: string }): Promise<ContractRecord[]> {
  const rows = own(ctx.tx)
    .selectFrom('enrolmentContract')
    .selectAll()
    .where('state', 'in', [...LIVE])
    .orderBy('id')
    .forUpdate();
  return 'policyId' in of
    ? rows.where('policyId', '=', of.policyId).execute()
    : rows.where('insuredItemId', '=', of.insuredItemId).execute();
}

const forPolicy =
  (
    each: (kernel: Kernel, ctx: Acting, contract: ContractRecord, payload: PayloadOf<typeof policySuspended>) => Promise<void>,
    kernel: Kernel,
  ) =>
  async ({ payload }: { payload: PayloadOf<typeof policySuspended> }, ctx: ConsumerContext) => {
    const system = acting(ctx);
    for (const contract of await liveOf(system, { policyId: payload.policyId })) await each(kernel, system, contract, payload);
  };

export const contractConsumers = (kernel: Kernel): Consumer[] => [
  consumer(HEARER, insuredAdded, async ({ payload }, ctx) => {
    const system = acting(ctx);
    for (const contract of await liveOf(system, { insuredItemId: payload.insuredItemId })) await regainCover(kernel, system, contract);
    await openByList(kernel, system, payload.insuredItemId);
  }),
  // Of that person alone: a family goes on without whoever left it.
  consumer(HEARER, insuredRemoved, async ({ payload }, ctx) => {
    const system = acting(ctx);
    const lostOn = payload.lastCoveredDay === null ? system.today : plusDays(payload.lastCoveredDay, 1);
    for (const contract of await liveOf(system, { insuredItemId: payload.insuredItemId })) {
      const noted = await writeContract(system, contract, { coverLostOn: lostOn });
      await loseCover(kernel, system, noted, `被保人自${lostOn}起不在保障期内`);
    }
  }),
  consumer(
    HEARER,
    policySuspended,
    forPolicy((one, ctx, contract) => loseCover(one, ctx, contract, '保单已中止'), kernel),
  ),
  consumer(
    HEARER,
    policyTerminated,
    forPolicy(
      (one, ctx, contract, { terminatedOn }) => loseCover(one, ctx, contract, `保单已终止（${terminatedOn ?? ctx.today}）`),
      kernel,
    ),
  ),
  consumer(HEARER, policyReinstated, forPolicy(regainCover, kernel)),
  consumer(HEARER, policyRenewed, async ({ payload }, ctx) => {
    const former = payload.renewalOfPolicyId;
    if (former === null) return;
    const system = acting(ctx);
    const rows = await own(ctx.tx)
      .updateTable('enrolmentContract')
      .set({ renewedPolicyId: payload.policyId, renewedPolicyNo: payload.policyNo })
      .where('policyId', '=', former)
      .where('origin', '<>', 'AUTO')
      .where('state', 'in', ['NOT_STARTED', 'ACTIVE', 'SUSPENDED', 'EXPIRED'])
      .returning('id')
      .execute();
    if (rows.length === 0) return;
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: `enrolment.renewal.${payload.policyId}`,
        title: `保单已续保，${rows.length}份合同可以续签`,
        body: `续保保单${payload.policyNo}`,
        link: '/signContractList',
        permission: contractPermissions['contract.renew'].code,
      },
      system.now,
    );
  }),
];
