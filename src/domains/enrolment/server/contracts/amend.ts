import * as z from 'zod/mini';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Difference } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { getEnrolConfig } from '#domains/insurance/server/index.ts';
import { mobileHash } from '#domains/patient/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { findCover } from '#domains/policy/server/index.ts';
import { addContractAmendment, auditContractAmendment, cancelContractAmendment } from '../../contract/calls/contractAmendments.ts';
import type { AmendmentType } from '../../contract/contractDictionaries.ts';
import { CONTRACT_AMEND } from '../../contract/contractPurposes.ts';
import { amendmentMachine, contractMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { amendmentRecords, contractRecords, type AmendmentRecord, type ContractRecord } from './access.ts';
import { moveContract, type ContractChange } from './move.ts';
import { publishAmended } from './publish.ts';

/** Columns of a contract that a change may write. */
const amendedFacts = z.partial(
  z.strictObject({
    drugIds: z.array(z.string()),
    payeeName: z.nullable(z.string()),
    payeeBank: z.nullable(z.string()),
    payeeAccountCipher: z.nullable(z.string()),
    payeeAccountMasked: z.nullable(z.string()),
    mobileCipher: z.nullable(z.string()),
    mobileHash: z.nullable(z.string()),
    mobileMasked: z.nullable(z.string()),
    endDate: z.nullable(z.string()),
    planCode: z.string(),
  }),
);
type AmendedFacts = z.output<typeof amendedFacts>;
const readFacts = (facts: unknown): AmendedFacts => z.parse(amendedFacts, facts);

interface Prepared {
  changes: Difference[];
  facts: AmendedFacts;
}
export type AmendmentWish = Pick<
  CheckedInputOf<typeof addContractAmendment>,
  'type' | 'effectiveOn' | 'drugIds' | 'payeeName' | 'payeeBank' | 'payeeAccount' | 'mobile' | 'endDate'
>;

async function drugChange(ctx: Acting, contract: ContractRecord, drugIds: readonly string[]): Promise<Prepared> {
  const { indications } = await getEnrolConfig(ctx.tx, contract.productVersionId);
  const allowed = new Set(indications.map(({ medicineId }) => medicineId));
  const names = new Map((await getMedicines(ctx.tx, [...drugIds, ...contract.drugIds])).map((one) => [one.medicineId, one.genericName]));
  const strange = drugIds.find((id) => (allowed.size > 0 ? !allowed.has(id) : !names.has(id)));
  if (strange !== undefined) throw refuseField('drugIds', `药品${names.get(strange) ?? ''}不在产品目录内`);
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id).join('、');
  return {
    facts: { drugIds: [...drugIds] },
    changes: [{ path: 'drugIds', label: '药品', before: named(contract.drugIds), after: named(drugIds) }],
  };
}

function payeeChange({ secrets }: Pick<Kernel, 'secrets'>, contract: ContractRecord, wish: AmendmentWish): Prepared {
  const account = wish.payeeAccount ?? '';
  const masked = mask('bankCard', account);
  return {
    facts: {
      payeeName: wish.payeeName ?? null,
      payeeBank: wish.payeeBank ?? null,
      payeeAccountCipher: secrets.encrypt(account),
      payeeAccountMasked: masked,
    },
    changes: [
      { path: 'payeeName', label: '收款户名', before: contract.payeeName, after: wish.payeeName ?? null },
      { path: 'payeeBank', label: '收款银行', before: contract.payeeBank, after: wish.payeeBank ?? null },
      { path: 'payeeAccount', label: '收款账号', before: contract.payeeAccountMasked, after: masked },
    ],
  };
}

function contactChange({ secrets }: Pick<Kernel, 'secrets'>, contract: ContractRecord, mobile: string): Prepared {
  const mobileMasked = mask('mobile', mobile);
  return {
    facts: { mobileCipher: secrets.encrypt(mobile), mobileHash: mobileHash(secrets, mobile), mobileMasked },
    changes: [{ path: 'mobile', label: '手机号', before: contract.mobileMasked, after: mobileMasked }],
  };
}

function extension(contract: ContractRecord, endDate: Day): Prepared {
  if (contract.endDate !== null && endDate <= contract.endDate) throw refuseField('endDate', '新的到期日期须晚于原到期日期');
  if (endDate > contract.coverageEnd) throw refuseField('endDate', `到期日期不能晚于保障期末（${contract.coverageEnd}）`);
  return { facts: { endDate }, changes: [{ path: 'endDate', label: '到期日期', before: contract.endDate, after: endDate }] };
}

/** A plan is the policy's: the contract follows it. */
async function planChange(ctx: Acting, contract: ContractRecord, day: Day): Promise<Prepared> {
  const cover = await findCover(ctx.tx, { insuredItemId: contract.insuredItemId, day });
  if (!cover) throw refuse(enrolmentErrors.POLICY_NOT_IN_FORCE, { message: '该日没有保障，不能变更方案' });
  if (cover.planCode === contract.planCode) throw refuseField('type', '合同方案与保单方案一致，无需变更');
  return {
    facts: { planCode: cover.planCode },
    changes: [{ path: 'planCode', label: '方案', before: contract.planCode, after: cover.planCode }],
  };
}

function prepare(
  kernel: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  contract: ContractRecord,
  wish: AmendmentWish,
): Promise<Prepared> | Prepared {
  switch (wish.type) {
    case 'DRUG':
      return drugChange(ctx, contract, wish.drugIds ?? []);
    case 'PAYEE':
      return payeeChange(kernel, contract, wish);
    case 'CONTACT':
      return contactChange(kernel, contract, wish.mobile ?? '');
    case 'EXTEND':
      return extension(contract, wish.endDate ?? '');
    case 'PLAN':
      return planChange(ctx, contract, wish.effectiveOn);
  }
}

const formerOf = (contract: ContractRecord, facts: AmendedFacts): AmendedFacts => {
  const all: Required<AmendedFacts> = {
    drugIds: contract.drugIds,
    payeeName: contract.payeeName,
    payeeBank: contract.payeeBank,
    payeeAccountCipher: contract.payeeAccountCipher,
    payeeAccountMasked: contract.payeeAccountMasked,
    mobileCipher: contract.mobileCipher,
    mobileHash: contract.mobileHash,
    mobileMasked: contract.mobileMasked,
    endDate: contract.endDate,
    planCode: contract.planCode,
  };
  return readFacts(Object.fromEntries(Object.entries(all).filter(([key]) => key in facts)));
};

interface AmendmentRequest extends AmendmentWish {
  reason: string;
  fileIds: readonly string[];
  maker: { userId: string; displayName: string };
}

/**
 * A change of a locked contract that waits for another person.
 * @throws Refusal SCM14043 while another one waits, SCM90031 of a contract that is over or not signed
 */
export async function openAmendment(
  kernel: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  contract: ContractRecord,
  { reason, fileIds, maker, ...wish }: AmendmentRequest,
): Promise<AmendmentRecord> {
  if (!contractMachine.canStart('amend', contract.state))
    throw refuse(platformErrors.WRONG_STATE, { state: contractMachine.states[contract.state].label });
  const pending = await own(ctx.tx)
    .selectFrom('enrolmentAmendment')
    .select('id')
    .where('contractId', '=', contract.id)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (pending) throw refuse(enrolmentErrors.AMENDMENT_PENDING);
  if (
    contract.startDate === null ||
    contract.endDate === null ||
    wish.effectiveOn < contract.startDate ||
    wish.effectiveOn > contract.endDate
  )
    throw refuseField('effectiveOn', '生效日期须在合同期内');
  const { changes, facts } = await prepare(kernel, ctx, contract, wish);
  return own(ctx.tx)
    .insertInto('enrolmentAmendment')
    .values({
      contractId: contract.id,
      seq: contract.amendSeq + 1,
      type: wish.type,
      effectiveOn: wish.effectiveOn,
      changes: json(changes),
      facts: json(facts),
      former: json(formerOf(contract, facts)),
      reason,
      fileIds: [...fileIds],
      makerId: maker.userId,
      makerName: maker.displayName,
      createdAt: ctx.now,
      ...updatedColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const add = (kernel: Kernel) =>
  command(addContractAmendment, async ({ contractId, version, fileIds, ...wish }, ctx) => {
    const contract = await contractRecords.lockVersion(ctx, contractId, version, (row) => ({
      contractId: row.id,
      type: null,
      effectiveOn: ctx.today,
      reason: '',
      fileIds: [],
      drugIds: row.drugIds,
      payeeName: row.payeeName,
      payeeBank: row.payeeBank,
      endDate: row.endDate,
    }));
    const row = await openAmendment(kernel, ctx, contract, { ...wish, fileIds, maker: ctx.staff });
    await attach(
      ctx.tx,
      { fileIds, purpose: CONTRACT_AMEND, ownerType: amendmentRecords.type, ownerId: row.id, field: 'paper', userId: ctx.staff.userId },
      ctx.now,
    );
    ctx.target({ type: amendmentRecords.type, id: row.id, no: contract.contractNo });
    return actionAnswer(ctx, amendmentMachine, row);
  });

/** Contract before change: everybody locks in this order. */
async function lockAmendment(ctx: CommandContext, id: string, version: number) {
  const found = await amendmentRecords.get(ctx.tx, ctx.staff, id);
  const contract = await contractRecords.lock(ctx.tx, ctx.staff, found.contractId);
  const row = await amendmentRecords.lockVersion(ctx, id, version, (one) => ({ amendmentId: one.id, opinion: one.opinion ?? '' }));
  return { contract, row };
}

async function moveAmendment(
  ctx: Acting,
  row: AmendmentRecord,
  contractNo: string,
  action: keyof typeof amendmentMachine.transitions,
  opinion = '',
): Promise<AmendmentRecord> {
  const state = await moveState(ctx, amendmentMachine, {
    targetType: amendmentRecords.type,
    targetId: row.id,
    targetNo: contractNo,
    action,
    from: row.state,
    opinion,
    contributors: [row.makerId],
  });
  const decides = action !== 'cancel';
  return own(ctx.tx)
    .updateTable('enrolmentAmendment')
    .set((eb) => ({
      state,
      decidedAt: ctx.now,
      ...(decides && {
        checkerId: ctx.staffOrNull?.userId ?? null,
        checkerName: ctx.staffOrNull?.displayName ?? null,
        opinion: opinion === '' ? null : opinion,
      }),
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The facts of an agreed change stand in the contract from its day on. */
export async function applyAmendment(
  ctx: Acting,
  contract: ContractRecord,
  row: AmendmentRecord,
  change: ContractChange = {},
): Promise<void> {
  const facts = readFacts(row.facts);
  const differences = row.changes as Difference[];
  const moved = await moveContract(ctx, contract, 'amended', { ...facts, ...change }, { differences });
  await own(ctx.tx).updateTable('enrolmentAmendment').set({ applied: true }).where('id', '=', row.id).execute();
  await publishAmended(ctx, moved, { seq: row.seq, type: row.type, effectiveOn: row.effectiveOn });
}

/** Another person decides about a change; what he agrees to stands in the contract from its day on. */
export async function decideAmendment(
  ctx: Acting,
  contract: ContractRecord,
  row: AmendmentRecord,
  decision: 'approve' | 'reject',
  opinion: string,
): Promise<AmendmentRecord> {
  const moved = await moveAmendment(ctx, row, contract.contractNo, decision, opinion);
  if (decision === 'reject') return moved;
  const amendSeq = { amendSeq: row.seq };
  if (row.effectiveOn <= ctx.today) await applyAmendment(ctx, contract, moved, amendSeq);
  else await moveContract(ctx, contract, 'amended', amendSeq);
  return moved;
}

/** @throws Refusal SCM14044 for whoever asked for it */
export const audit = command(auditContractAmendment, async ({ amendmentId, version, decision, opinion }, ctx) => {
  const { contract, row } = await lockAmendment(ctx, amendmentId, version);
  return actionAnswer(ctx, amendmentMachine, await decideAmendment(ctx, contract, row, decision, opinion));
});

export const cancel = command(cancelContractAmendment, async ({ amendmentId, version }, ctx) => {
  const { contract, row } = await lockAmendment(ctx, amendmentId, version);
  return actionAnswer(ctx, amendmentMachine, await moveAmendment(ctx, row, contract.contractNo, 'cancel'));
});

/** Medicines on a day, as changes that were agreed say. */
export async function drugsOn(ctx: { db: Parameters<typeof own>[0] }, contract: ContractRecord, day: Day): Promise<readonly string[]> {
  const rows = await own(ctx.db)
    .selectFrom('enrolmentAmendment')
    .select(['effectiveOn', 'facts', 'former'])
    .where('contractId', '=', contract.id)
    .where('type', '=', 'DRUG' satisfies AmendmentType)
    .where('state', '=', 'APPROVED')
    .orderBy('effectiveOn')
    .orderBy('seq')
    .execute();
  const last = rows.findLast(({ effectiveOn }) => effectiveOn <= day);
  if (last) return readFacts(last.facts).drugIds ?? contract.drugIds;
  const [first] = rows;
  return first ? (readFacts(first.former).drugIds ?? contract.drugIds) : contract.drugIds;
}
