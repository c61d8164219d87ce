import { days, plusMs, type Day } from '#kernel/contract/time.ts';
import { mask } from '#kernel/contract/masking.ts';
import { refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { ProductLine } from '#domains/insurance/contract/businessLines.ts';
import { getEnrolConfig, getInsurer, resolveVersion } from '#domains/insurance/server/index.ts';
import { maskIdNo } from '#domains/patient/contract/idNumber.ts';
import type { ContractOrigin } from '../../contract/contractDictionaries.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { contractRecords, type ContractRecord } from './access.ts';
import { TEMPLATE_VERSION } from './document.ts';
import { moveContract } from './move.ts';
import { publishActivated, publishCancelled } from './publish.ts';

/** So long a contract waits to be signed. */
const SIGN_TTL_DAYS = 7;

interface ContractInsured {
  name: string;
  idType: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  mobileCipher: string | null;
  mobileHash: string | null;
  birthDate: Day | null;
  gender: string | null;
}

export interface ContractFacts {
  applyId: string | null;
  origin: ContractOrigin;
  productLine: ProductLine;
  productId: string;
  productVersionId: string;
  planCode: string;
  insuredItemId: string;
  policyId: string;
  policyNo: string;
  insurerId: string | null;
  adcode: string | null;
  patientId: string;
  hospitalId: string | null;
  /** The medicine applied for, or `*` where the product is not per medicine. */
  drugKey: string;
  drugIds: readonly string[];
  insured: ContractInsured;
  /** The cover without a gap (`coveredFrom`, `coveredTo` of policy). */
  coverageStart: Day;
  coverageEnd: Day;
  continuousFrom: Day | null;
  hasSocial: boolean | null;
  preExistingIcd: readonly string[];
  familySubjectId: string;
  /** A mark of the person says that he owes no fee. */
  waived: boolean;
  previous?: Pick<ContractRecord, 'id' | 'chainId' | 'renewSeq'>;
}

const LIVE_STATES = ['WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED'] as const;

/** The contract that a person has of a product and medicine and that is not over; null: none. */
export async function liveContract(
  tx: Tx,
  key: Pick<ContractFacts, 'insuredItemId' | 'productId' | 'drugKey'>,
): Promise<{ id: string; contractNo: string } | null> {
  const row = await own(tx)
    .selectFrom('enrolmentContract')
    .select(['id', 'contractNo'])
    .where('insuredItemId', '=', key.insuredItemId)
    .where('productId', '=', key.productId)
    .where('drugKey', '=', key.drugKey)
    .where('state', 'in', [...LIVE_STATES])
    .executeTakeFirst();
  return row ?? null;
}

const personColumns = (secrets: Secrets, insured: ContractInsured) => ({
  insuredName: insured.name,
  idType: insured.idType,
  idNoCipher: insured.idNoCipher,
  idNoHash: insured.idNoHash,
  idNoMasked: insured.idNoCipher === null ? null : maskIdNo(secrets.decrypt(insured.idNoCipher)),
  mobileCipher: insured.mobileCipher,
  mobileHash: insured.mobileHash,
  mobileMasked: insured.mobileCipher === null ? null : mask('mobile', secrets.decrypt(insured.mobileCipher)),
  birthDate: insured.birthDate,
  gender: insured.gender,
});

/** The product as contracts name it, of the version in force when the cover began. */
async function productNames(tx: Tx, { productId, coverageStart }: ContractFacts, today: Day) {
  const version = (await resolveVersion(tx, productId, coverageStart)) ?? (await resolveVersion(tx, productId, today));
  if (!version) throw refuse(enrolmentErrors.NOT_COVERED, { message: '产品没有有效版本，不能签约' });
  return { productCode: version.productCode, productName: version.productName };
}

const firstState = ({ origin, coverageStart }: ContractFacts, today: Day) =>
  origin === 'AUTO' ? (coverageStart <= today ? ('ACTIVE' as const) : ('NOT_STARTED' as const)) : ('WAIT_SIGN' as const);

/**
 * A contract in the caller's transaction: it waits to be signed; one of an insured list alone (AUTO) begins with its cover.
 * @throws Refusal SCM14002 where one of the same person, product and medicine is not over
 */
export async function openContract(
  kernel: Pick<Kernel, 'secrets'>,
  ctx: Acting,
  facts: ContractFacts,
): Promise<{ contractId: string; contractNo: string }> {
  const live = await liveContract(ctx.tx, facts);
  if (live) throw refuse(enrolmentErrors.CONTRACT_LIVE, { contractNo: live.contractNo });
  const config = await getEnrolConfig(ctx.tx, facts.productVersionId);
  const insurer = facts.insurerId === null ? null : await getInsurer(ctx.tx, facts.insurerId);
  const isAuto = facts.origin === 'AUTO';
  const payMode = isAuto ? 'SPONSOR' : facts.waived ? 'NONE' : config.payMode;
  const state = firstState(facts, ctx.today);
  const { insured, previous, waived: _waived, drugIds, preExistingIcd, ...pinned } = facts;
  const row = await own(ctx.tx)
    .insertInto('enrolmentContract')
    .values({
      ...pinned,
      ...personColumns(kernel.secrets, insured),
      ...(await productNames(ctx.tx, facts, ctx.today)),
      contractNo: await nextNumber(ctx.tx, 'HT', ctx.today),
      chainId: previous ? (previous.chainId ?? previous.id) : null,
      previousContractId: previous?.id ?? null,
      renewSeq: previous ? previous.renewSeq + 1 : 0,
      insurerName: insurer?.shortName ?? null,
      drugIds: [...drugIds],
      preExistingIcd: [...preExistingIcd],
      termMonths: config.termMonths,
      coolingOffDays: config.coolingOffDays,
      reviewCycleDays: config.followUpDays,
      payMode,
      listFeeFen: String(payMode === 'PLATFORM' ? config.feeFen : 0),
      prorated: config.prorated,
      templateCode: facts.productLine,
      templateVersion: TEMPLATE_VERSION,
      ...(isAuto && { startDate: facts.coverageStart, endDate: facts.coverageEnd }),
      signDueAt: isAuto ? null : plusMs(ctx.now, days(SIGN_TTL_DAYS)),
      state,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.target({ type: contractRecords.type, id: row.id, no: row.contractNo });
  if (state === 'ACTIVE') await publishActivated(ctx, row);
  return { contractId: row.id, contractNo: row.contractNo };
}

/**
 * The approval that a contract stands on was taken back.
 * @throws Refusal SCM14033 once it gives rights, SCM14035 where something was paid or may be on its way
 */
export async function revokeContract(_kernel: Kernel, ctx: Acting, contractId: string, opinion: string): Promise<void> {
  const contract = await contractRecords.lock(ctx.tx, contractRecords.everyone, contractId);
  if (contract.state === 'CANCELLED') {
    await own(ctx.tx).updateTable('enrolmentContract').set({ cancelReason: 'REVOKED' }).where('id', '=', contractId).execute();
    return;
  }
  if (!contractMachine.canStart('cancelBySystem', contract.state)) throw refuse(enrolmentErrors.CONTRACT_IN_FORCE);
  const paid = await own(ctx.tx)
    .selectFrom('enrolmentContractPay')
    .select('id')
    .where('contractId', '=', contractId)
    .where('state', 'in', ['PENDING', 'UNKNOWN', 'CHECKING', 'SUCCESS'])
    .executeTakeFirst();
  if (paid) throw refuse(enrolmentErrors.PAID_ALREADY);
  await own(ctx.tx)
    .updateTable('enrolmentContractPay')
    .set((eb) => ({ state: 'CLOSED', version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('contractId', '=', contractId)
    .where('state', '=', 'INIT')
    .execute();
  const moved = await moveContract(ctx, contract, 'cancelBySystem', { cancelReason: 'REVOKED' }, { opinion });
  await publishCancelled(ctx, moved);
}
