import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { mask } from '#kernel/contract/masking.ts';
import { yuan } from '#kernel/contract/money.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { attach, detach } from '#domains/files/server/index.ts';
import { maskIdNo } from '#domains/patient/contract/idNumber.ts';
import { idNoHash, type Seer } from '#domains/patient/server/index.ts';
import { addManualOrder, modifyManualOrder } from '../../contract/calls/manualOrders.ts';
import { orderErrors } from '../../contract/errors.ts';
import { manualReasons } from '../../contract/manualOrderDictionaries.ts';
import { manualOrderMachine } from '../../contract/manualOrderStates.ts';
import { MANUAL_PROOF } from '../../contract/purposes.ts';
import { purchaseDayFault } from '../../contract/rules/manualOrder.ts';
import { own } from '../database.ts';
import { buyerColumns } from '../orders/secrets.ts';
import { linesOfManual, manualRecords, moveManual, type ManualLine, type ManualRecord, type Person } from './access.ts';
import { soldGoods, storeOf, sumOfGoods, type FoundGoods } from './goods.ts';
import { personsOf } from './persons.ts';

export type NewManualOrder = CheckedInputOf<typeof addManualOrder>;
type Facts = Omit<NewManualOrder, 'buyerName' | 'mobile' | 'idNo'>;
interface Identity {
  buyerName: string;
  mobile: string;
  idNo: string | null;
}

const idNoColumns = (secrets: Secrets, idNo: string | null) =>
  idNo === null
    ? { idNoCipher: null, idNoHash: null, idNoMasked: null }
    : { idNoCipher: secrets.encrypt(idNo), idNoHash: idNoHash(secrets, idNo), idNoMasked: maskIdNo(idNo) };
export const identityOf = (secrets: Secrets, row: ManualRecord): Identity => ({
  buyerName: secrets.decrypt(row.buyerNameCipher),
  mobile: secrets.decrypt(row.buyerMobileCipher),
  idNo: row.idNoCipher === null ? null : secrets.decrypt(row.idNoCipher),
});

/** A receipt is registered once. @throws Refusal SCM16060 */
async function requireNewReceipt(ctx: Acting, { drugstoreId, receiptNo, purchaseDate }: Facts, ownId: string | null): Promise<void> {
  await lockKeys(ctx.tx, 'order.manualReceipt', [`${drugstoreId}:${receiptNo}:${purchaseDate}`]);
  const known = await own(ctx.tx)
    .selectFrom('orderManual')
    .select(['id', 'manualNo'])
    .where('drugstoreId', '=', drugstoreId)
    .where('receiptNo', '=', receiptNo)
    .where('purchaseDate', '=', purchaseDate)
    .where('state', '<>', 'VOIDED')
    .executeTakeFirst();
  if (known && known.id !== ownId) throw refuse(orderErrors.RECEIPT_TAKEN, { manualNo: known.manualNo });
}

/** What was typed, as it is kept. @throws Refusal SCM90020, SCM16060 */
async function checked(kernel: Kernel, ctx: Acting, facts: Facts, identity: Identity, seer: Seer, ownId: string | null) {
  const fault = purchaseDayFault(facts.purchaseDate, ctx.today);
  if (fault !== null) throw refuseField('purchaseDate', fault);
  await requireNewReceipt(ctx, facts, ownId);
  const store = await storeOf(ctx.tx, facts.drugstoreId);
  const goods = await soldGoods(ctx.tx, facts, ctx.today);
  const goodsFen = sumOfGoods(goods);
  if (goodsFen > 100_000_000) throw refuseField('lines', '商品金额不能超过100万元');
  if (facts.benefitFen > 0 && facts.contractId === null) throw refuseField('contractId', '有直付金额时请选择合同');
  if (facts.cardFen > 0 && facts.cardId === null) throw refuseField('cardId', '有卡抵扣金额时请选择储值卡');
  const { patientId } = facts;
  if (patientId !== null) {
    const persons = await personsOf(kernel, ctx.tx, identity, { staff: seer, now: ctx.now });
    if (!persons.some((person) => person.patientId === patientId))
      throw refuseField('patientId', '患者档案与身份证号、手机号不符，请重新匹配');
  }
  const { secrets } = kernel;
  return {
    goods,
    columns: {
      ...buyerColumns(secrets, { name: identity.buyerName, mobile: identity.mobile }),
      ...idNoColumns(secrets, identity.idNo),
      drugstoreId: store.id,
      drugstoreName: store.name,
      receiptNo: facts.receiptNo,
      purchaseDate: facts.purchaseDate,
      reasonCode: facts.reasonCode,
      patientId,
      rxPassedBy: facts.rxPassedBy,
      contractId: facts.contractId,
      cardId: facts.cardId,
      cardText: null,
      matchExplain: null,
      goodsFen: String(goodsFen),
      benefitFen: String(facts.benefitFen),
      cardFen: String(facts.cardFen),
      selfPayFen: String(facts.selfPayFen),
      attachmentFileIds: [...new Set(facts.attachmentFileIds)],
    },
  };
}

async function writeLines(ctx: Acting, manualId: string, goods: readonly FoundGoods[]): Promise<void> {
  await own(ctx.tx).deleteFrom('orderManualLine').where('manualId', '=', manualId).execute();
  await own(ctx.tx)
    .insertInto('orderManualLine')
    .values(
      goods.map(({ categoryCode: _category, unitPriceFen, listPriceFen, ...line }, at) => ({
        ...line,
        manualId,
        lineNo: at + 1,
        unitPriceFen: String(unitPriceFen),
        listPriceFen: listPriceFen === null ? null : String(listPriceFen),
      })),
    )
    .execute();
}
async function keepFiles(ctx: Acting, id: string, fileIds: readonly string[], before: readonly string[], userId: string): Promise<void> {
  const files = { ownerType: manualRecords.type, ownerId: id, field: 'PROOF' };
  const gone = before.filter((fileId) => !fileIds.includes(fileId));
  await detach(ctx.tx, { ...files, fileIds: gone }, ctx.now);
  await attach(ctx.tx, { ...files, fileIds: [...fileIds], purpose: MANUAL_PROOF, userId }, ctx.now);
}

/** Registers a purchase as a draft. @throws Refusal SCM16060, SCM90020 */
export async function registerManual(
  kernel: Kernel,
  ctx: Acting,
  { buyerName, mobile, idNo, ...facts }: NewManualOrder,
  by: Person & { seer: Seer },
  source: 'ENTRY' | 'IMPORT' = 'ENTRY',
): Promise<ManualRecord> {
  const identity = { buyerName, mobile, idNo: idNo === '' ? null : idNo };
  const { goods, columns } = await checked(kernel, ctx, facts, identity, by.seer, null);
  const made = await own(ctx.tx)
    .insertInto('orderManual')
    .values({
      ...columns,
      manualNo: await nextNumber(ctx.tx, 'MO', ctx.today),
      source,
      bizLine: 'OWN',
      state: 'DRAFT',
      stateSince: ctx.now,
      makerId: by.userId,
      makerName: by.displayName,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeLines(ctx, made.id, goods);
  await keepFiles(ctx, made.id, made.attachmentFileIds, [], by.userId);
  return moveManual(ctx, made, 'register');
}

const linesText = (lines: readonly Pick<ManualLine, 'goodsCode' | 'quantity' | 'unitPriceFen'>[]): string =>
  lines.map(({ goodsCode, quantity, unitPriceFen }) => `${goodsCode} ${yuan(unitPriceFen)}元×${quantity}`).join('；');

/** A manual order as its form knows it, without what is sensitive. */
const formOf = (row: ManualRecord, lines: readonly ManualLine[]) => ({
  drugstoreId: row.drugstoreId,
  receiptNo: row.receiptNo,
  purchaseDate: row.purchaseDate,
  reasonCode: row.reasonCode,
  patientId: row.patientId,
  rxPassedBy: row.rxPassedBy,
  lines: lines.map(({ goodsCode, quantity, unitPriceFen }) => ({ goodsCode, quantity, unitPriceFen: Number(unitPriceFen) })),
  contractId: row.contractId,
  benefitFen: Number(row.benefitFen),
  cardId: row.cardId,
  cardFen: Number(row.cardFen),
  selfPayFen: Number(row.selfPayFen),
  attachmentFileIds: row.attachmentFileIds,
});
const shownOf = (row: ManualRecord, lines: readonly ManualLine[]) => ({
  drugstoreId: row.drugstoreName,
  receiptNo: row.receiptNo,
  purchaseDate: row.purchaseDate,
  reasonCode: manualReasons.label(row.reasonCode),
  buyerName: row.buyerNameMasked,
  mobile: row.buyerMobileMasked,
  idNo: row.idNoMasked,
  patientId: row.patientId,
  rxPassedBy: row.rxPassedBy,
  lines: linesText(lines),
  contractId: row.contractId,
  benefitFen: yuan(row.benefitFen),
  cardId: row.cardId,
  cardFen: yuan(row.cardFen),
  selfPayFen: yuan(row.selfPayFen),
  attachmentFileIds: `${row.attachmentFileIds.length}张`,
});
const labels = labelsOf(addManualOrder.input.shape);

export const add = (kernel: Kernel) =>
  command(addManualOrder, async (input, ctx) => {
    const { userId, displayName } = ctx.staff;
    return actionAnswer(ctx, manualOrderMachine, await registerManual(kernel, ctx, input, { userId, displayName, seer: ctx.staff }));
  });

export const modify = (kernel: Kernel) =>
  command(modifyManualOrder, async ({ manualOrderId, version, buyerName, mobile, idNo, ...facts }, ctx) => {
    const view = async (row: ManualRecord) => formOf(row, await linesOfManual(ctx.tx, row.id));
    const row = await manualRecords.lockVersion(ctx, manualOrderId, version, view);
    const before = await linesOfManual(ctx.tx, row.id);
    const kept = identityOf(kernel.secrets, row);
    const identity = {
      buyerName: buyerName ?? kept.buyerName,
      mobile: mobile ?? kept.mobile,
      idNo: idNo === undefined ? kept.idNo : idNo === '' ? null : idNo,
    };
    const { goods, columns } = await checked(kernel, ctx, facts, identity, ctx.staff, row.id);
    const after = goods.map((line) => ({ ...line, unitPriceFen: String(line.unitPriceFen) }));
    const differences = differencesOf(
      shownOf(row, before),
      {
        ...shownOf({ ...row, ...columns }, before),
        lines: linesText(after),
        ...(kept.buyerName !== identity.buyerName && { buyerName: `${mask('name', identity.buyerName)}（已更新）` }),
      },
      labels,
    );
    const moved = await moveManual(ctx, row, 'edit', columns, { differences });
    await writeLines(ctx, row.id, goods);
    await keepFiles(ctx, row.id, columns.attachmentFileIds, row.attachmentFileIds, ctx.staff.userId);
    return actionAnswer(ctx, manualOrderMachine, moved);
  });
