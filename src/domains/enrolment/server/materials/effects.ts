import { otherMaterialApproved } from '#events/enrolment.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { daysBetween, type Day } from '#kernel/contract/time.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import type { OtherMaterialFacts } from '../../contract/materialFacts.ts';
import { nextReviewAfter } from '../../contract/rules/followUp.ts';
import type { ContractRecord } from '../contracts/access.ts';
import { REVIEW_GRACE_DAYS } from '../contracts/actions.ts';
import { openAmendment, type AmendmentWish } from '../contracts/amend.ts';
import { isCovered } from '../contracts/begin.ts';
import { moveContract } from '../contracts/move.ts';
import { publishChange } from '../contracts/publish.ts';
import type { OtherMaterialRecord } from './records.ts';

interface Person {
  userId: string;
  displayName: string;
}
interface Effect {
  /** What became of the contract. */
  outcome: string;
  amendmentId: string | null;
}

type Reviewed = Pick<ContractRecord, 'state' | 'suspendReason' | 'nextReviewOn' | 'reviewCycleDays'>;
const isLive = ({ state }: Reviewed): boolean => state === 'ACTIVE' || state === 'SUSPENDED';

/** What a follow-up of a day does to a contract. */
function followUp(contract: Reviewed, examinedOn: Day, today: Day): { nextReviewOn: Day; resumes: boolean } | null {
  const { reviewCycleDays, nextReviewOn } = contract;
  if (reviewCycleDays === null || !isLive(contract)) return null;
  const next = nextReviewAfter(examinedOn, reviewCycleDays, nextReviewOn);
  const isOverdue = daysBetween(next, today) >= REVIEW_GRACE_DAYS;
  return { nextReviewOn: next, resumes: contract.state === 'SUSPENDED' && contract.suspendReason === 'REVIEW_OVERDUE' && !isOverdue };
}

/** What a pass will do, in words; what is not known yet is said so. `covered`: the policy covers the person today. */
export function consequenceOf(
  kind: OtherMaterialRecord['kind'],
  facts: OtherMaterialFacts,
  contract: Reviewed,
  { today, covered }: { today: Day; covered: boolean },
): string {
  switch (kind) {
    case 'FOLLOW_UP': {
      if (facts.examinedOn === undefined) return '填写复查日期后显示';
      const effect = followUp(contract, facts.examinedOn, today);
      if (effect === null) return '材料存入合同，不改变复查安排';
      const resumed = effect.resumes && covered;
      const stays = effect.resumes && !covered;
      return `下次复查日期更新为${effect.nextReviewOn}${resumed ? '，合同恢复生效' : stays ? '，保单不在保障期内，合同保持暂停' : ''}`;
    }
    case 'BANK':
      return '发起收款账户变更，由另一人在合同变更中审批后生效';
    case 'IDENTITY':
      return facts.mobile === undefined ? '材料存入合同，不改变联系方式' : '发起联系方式变更，由另一人在合同变更中审批后生效';
    case 'PRIOR_PURCHASE':
      return '既往购药转理赔使用';
    case 'PRESCRIPTION':
    case 'OTHER':
      return '材料存入合同';
  }
}

async function passFollowUp(ctx: Acting, contract: ContractRecord, examinedOn: Day): Promise<void> {
  const effect = followUp(contract, examinedOn, ctx.today);
  if (effect === null) return;
  const system: Acting = asSystem(ctx, ctx);
  const { nextReviewOn } = effect;
  const reviewed = await moveContract(
    system,
    contract,
    'reviewed',
    { nextReviewOn, reviewRemindedOn: null },
    { differences: [{ path: 'nextReviewOn', label: '下次复查', before: contract.nextReviewOn, after: nextReviewOn }] },
  );
  if (!effect.resumes || !(await isCovered(ctx, contract, ctx.today))) return;
  const resumed = await moveContract(system, reviewed, 'resumeBySystem');
  await publishChange(system, resumed, 'resumed', { reason: 'REVIEW_OVERDUE', onDate: ctx.today });
}

const AMENDABLE: readonly ContractRecord['state'][] = ['NOT_STARTED', 'ACTIVE', 'SUSPENDED'];

/** The change is the reviewer's: another person passes it. @throws Refusal SCM14043 while another change waits */
async function amend(
  kernel: Kernel,
  ctx: Acting,
  contract: ContractRecord,
  material: OtherMaterialRecord,
  wish: Omit<AmendmentWish, 'effectiveOn'>,
  maker: Person,
) {
  const { startDate } = contract;
  const effectiveOn = startDate !== null && startDate > ctx.today ? startDate : ctx.today;
  const row = await openAmendment(kernel, ctx, contract, {
    ...wish,
    effectiveOn,
    reason: `其他材料${material.materialNo}审核通过`,
    fileIds: [],
    maker,
  });
  return row.id;
}

/** What a passed material does to the locked contract. */
export async function carryOut(
  kernel: Kernel,
  ctx: Acting,
  contract: ContractRecord,
  material: OtherMaterialRecord,
  facts: OtherMaterialFacts,
  fileIds: readonly string[],
  reviewer: Person,
): Promise<Effect> {
  const covered = await isCovered(ctx, contract, ctx.today);
  const outcome = consequenceOf(material.kind, facts, contract, { today: ctx.today, covered });
  const { payeeName, payeeBank, payeeAccount, mobile } = facts;
  switch (material.kind) {
    case 'FOLLOW_UP':
      if (facts.examinedOn !== undefined) await passFollowUp(ctx, contract, facts.examinedOn);
      return { outcome, amendmentId: null };
    case 'BANK':
      return {
        outcome,
        amendmentId: await amend(kernel, ctx, contract, material, { type: 'PAYEE', payeeName, payeeBank, payeeAccount }, reviewer),
      };
    case 'IDENTITY':
      if (mobile === undefined) return { outcome, amendmentId: null };
      if (!AMENDABLE.includes(contract.state))
        return { outcome: `合同${contractMachine.states[contract.state].label}，材料存入合同`, amendmentId: null };
      return { outcome, amendmentId: await amend(kernel, ctx, contract, material, { type: 'CONTACT', mobile }, reviewer) };
    case 'PRIOR_PURCHASE': {
      const { drugName = null, quantity = null, amountFen = null, purchasedOn = null } = facts;
      await ctx.publish(otherMaterialApproved, material.id, {
        materialId: material.id,
        contractId: contract.id,
        kind: material.kind,
        facts: { drugName, quantity, amountFen, purchasedOn },
        fileIds: [...fileIds],
      });
      return { outcome, amendmentId: null };
    }
    case 'PRESCRIPTION':
    case 'OTHER':
      return { outcome, amendmentId: null };
  }
}
