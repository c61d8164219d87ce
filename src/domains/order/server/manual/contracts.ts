import * as z from 'zod/mini';
import { rightsChanged } from '#events/enrolment.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Consumer } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { productLines } from '#domains/insurance/contract/businessLines.ts';
import { recordIds } from '#domains/patient/server/index.ts';
import type { MatchedContract } from '../../contract/calls/manualOrders.ts';
import { own } from '../database.ts';

const limit = z.object({ label: z.string(), unit: z.string(), limitAmount: z.int() });

/** Contracts as their events tell them: which days they cover, and which medicines. */
export const contractConsumer: Consumer = consumer('order', rightsChanged, async ({ payload }, ctx) => {
  const productLine = productLines.codes.find((code) => code === payload.productLine);
  if (productLine === undefined) return;
  const facts = {
    contractNo: payload.contractNo,
    patientId: payload.patientId,
    state: payload.state,
    productLine,
    productCode: payload.productCode,
    insurerId: payload.insurerId,
    policyId: payload.policyId,
    effectiveTo: payload.effectiveTo,
    drugIds: payload.drugList,
    limits: JSON.stringify(payload.limits.map(({ label, unit, limitAmount }) => ({ label, unit, limitAmount }))),
    updatedAt: ctx.now,
  };
  await own(ctx.tx)
    .insertInto('orderContract')
    .values({ contractId: payload.contractId, effectiveFrom: payload.effectiveFrom, ...facts })
    // An amendment tells from when it holds; the contract began before.
    .onConflict((conflict) =>
      conflict
        .column('contractId')
        .doUpdateSet((eb) => ({ ...facts, effectiveFrom: eb.fn('least', ['orderContract.effectiveFrom', 'excluded.effectiveFrom']) })),
    )
    .execute();
});

const ofPatient = async (db: Db | Tx, patientId: string) =>
  own(db)
    .selectFrom('orderContract')
    .selectAll()
    .where('patientId', 'in', await recordIds(db, patientId))
    .orderBy('effectiveFrom', 'desc')
    .orderBy('contractId')
    .limit(20)
    .execute();
export type ContractRow = Awaited<ReturnType<typeof ofPatient>>[number];

/** Why a contract pays nothing of a purchase; null: it may. */
export function contractFault(contract: ContractRow, purchaseDate: Day, medicineIds: readonly string[]): string | null {
  if (purchaseDate < contract.effectiveFrom || purchaseDate > contract.effectiveTo) return '购药日期不在合同有效期内';
  const covers = contract.drugIds.length === 0 || medicineIds.some((id) => contract.drugIds.map(String).includes(id));
  return covers ? null : '所购药品不在合同药品清单内';
}
export const covers = ({ drugIds }: ContractRow, medicineId: string): boolean =>
  drugIds.length === 0 || drugIds.map(String).includes(medicineId);

export async function contractsOf(db: Db | Tx, patientId: string, purchaseDate: Day, medicineIds: readonly string[]) {
  return (await ofPatient(db, patientId)).map((contract): MatchedContract => ({
    contractId: contract.contractId,
    contractNo: contract.contractNo,
    productCode: contract.productCode,
    bizLine: contract.productLine,
    effectiveFrom: contract.effectiveFrom,
    effectiveTo: contract.effectiveTo,
    limits: z.array(limit).parse(contract.limits),
    refusal: contractFault(contract, purchaseDate, medicineIds),
  }));
}
export const contractOf = async (db: Db | Tx, patientId: string, contractId: string): Promise<ContractRow | undefined> =>
  (await ofPatient(db, patientId)).find((one) => one.contractId === contractId);
export const contractNoOf = async (db: Db | Tx, contractId: string): Promise<string | null> =>
  (await own(db).selectFrom('orderContract').select('contractNo').where('contractId', '=', contractId).executeTakeFirst())?.contractNo ??
  null;
