import type { Difference } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { getEnrolConfig, listLimits } from '#domains/insurance/server/index.ts';
import { queryContractDetail, queryContractListByContractId, type ContractDetailFacts } from '../../contract/calls/contracts.ts';
import { queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { amendmentMachine, contractPayMachine, contractRefundMachine, terminationMachine } from '../../contract/contractStates.ts';
import { CONTRACT_AMEND, CONTRACT_PAY_PROOF, CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import { payPermissions } from '../../contract/permissions.ts';
import type { RefundCalc } from '../../contract/rules/refund.ts';
import { own } from '../database.ts';
import {
  amendmentRecords,
  contractRecords,
  payRecords,
  refundRecords,
  type AmendmentRecord,
  type ContractRecord,
  type TerminationRecord,
} from './access.ts';
import { storedHash } from './document.ts';
import { medicineNames, presentContract } from './list.ts';
import { channelOf } from './sendRefund.ts';
import { confirmTokenOf } from './signLink.ts';
import { limitText } from './limitText.ts';

const factsOf = (row: ContractRecord, names: ReadonlyMap<string, string>, has: (permission: string) => boolean): ContractDetailFacts => ({
  ...presentContract(row, names, has),
  origin: row.origin,
  applyId: row.applyId,
  policyNo: row.policyNo,
  productCode: row.productCode,
  idNo: row.idNoMasked,
  birthDate: row.birthDate,
  coverageStart: row.coverageStart,
  coverageEnd: row.coverageEnd,
  termMonths: row.termMonths,
  coolingOffDays: row.coolingOffDays,
  reviewCycleDays: row.reviewCycleDays,
  payMode: row.payMode,
  payeeName: row.payeeName,
  payeeBank: row.payeeBank,
  payeeAccount: row.payeeAccountMasked,
  signChannel: row.signChannel,
  signedAt: row.signedAt,
  signDueAt: row.signDueAt,
  signSha256: row.signSha256,
  templateCode: `${row.templateCode} V${row.templateVersion}`,
  suspendReason: row.suspendReason,
  cancelReason: row.cancelReason,
  terminateReason: row.terminateReason,
  terminatedOn: row.terminatedOn,
  coverLostOn: row.coverLostOn,
  renewedPolicyNo: row.renewedPolicyNo,
});

type Briefs = ReadonlyMap<string, Awaited<ReturnType<typeof fileBriefs>>[number]>;

const amendmentOf = (row: AmendmentRecord, contractNo: string, files: Briefs, has: (permission: string) => boolean) => ({
  id: row.id,
  contractId: row.contractId,
  contractNo,
  seq: row.seq,
  type: row.type,
  effectiveOn: row.effectiveOn,
  changes: row.changes as Difference[],
  reason: row.reason,
  files: row.fileIds.flatMap((id) => files.get(id) ?? []),
  makerName: row.makerName,
  checkerName: row.checkerName,
  opinion: row.opinion,
  createdAt: row.createdAt,
  decidedAt: row.decidedAt,
  applied: row.applied,
  state: row.state,
  version: row.version,
  allowedActions: amendmentMachine.allowed(row.state, has),
});

function terminationOf(kernel: Kernel, { has, now, staff }: QueryContext, row: TerminationRecord) {
  const allowedActions = terminationMachine.allowed(row.state, has);
  const mayConfirm = allowedActions.includes('approve') && row.expiresAt > now && row.makerId !== staff.userId;
  return {
    id: row.id,
    terminatedOn: row.terminatedOn,
    reason: row.reason,
    note: row.note,
    refundFen: Number(row.refundFen),
    makerName: row.makerName,
    checkerName: row.checkerName,
    opinion: row.opinion,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    state: row.state,
    version: row.version,
    confirmToken: mayConfirm ? confirmTokenOf(kernel, row.id, row.expiresAt) : null,
    allowedActions,
  };
}

const chainOf = (db: Db, contract: ContractRecord): Promise<ContractRecord[]> => {
  const first = contract.chainId ?? contract.id;
  return own(db)
    .selectFrom('enrolmentContract')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', first), eb('chainId', '=', first)]))
    .orderBy('renewSeq')
    .orderBy('id')
    .execute();
};

/** Files by their ids. */
async function briefsOf(db: Db, purpose: string, ownerType: string, ids: readonly (string | null)[]): Promise<Briefs> {
  const found = await fileBriefs(
    db,
    ids.filter((id) => id !== null),
    { purpose, ownerType },
  );
  return new Map(found.map((file) => [file.fileId, file]));
}

/** Changes of contracts, the newest first, with their papers. */
async function amendmentsOf(db: Db, contracts: readonly ContractRecord[], has: (permission: string) => boolean) {
  const noOf = new Map(contracts.map(({ id, contractNo }) => [id, contractNo]));
  const rows = await own(db)
    .selectFrom('enrolmentAmendment')
    .selectAll()
    .where('contractId', 'in', [...noOf.keys()])
    .orderBy('id', 'desc')
    .execute();
  const ids = rows.flatMap(({ fileIds }) => fileIds);
  const files = await briefsOf(db, CONTRACT_AMEND, amendmentRecords.type, ids);
  return rows.map((row) => amendmentOf(row, noOf.get(row.contractId) ?? '', files, has));
}

export const contractDetail = (kernel: Kernel) =>
  query(queryContractDetail, async ({ contractId }, ctx) => {
    const { db, staff, has } = ctx;
    const contract = await contractRecords.get(db, staff, contractId);
    const chain = await chainOf(db, contract);
    const { indications } = await getEnrolConfig(db, contract.productVersionId);
    const listed = [...new Set(indications.map(({ medicineId }) => medicineId))];
    const names = await medicineNames(db, [...chain, { drugIds: listed }]);
    const terminations = await own(db)
      .selectFrom('enrolmentTermination')
      .selectAll()
      .where('contractId', '=', contract.id)
      .orderBy('id', 'desc')
      .execute();
    const signed = await briefsOf(db, CONTRACT_SIGN, contractRecords.type, [contract.signFileId]);
    const limits = await listLimits(db, contract.productVersionId, contract.planCode);
    return {
      contract: factsOf(contract, names, has),
      signIntact:
        contract.signFileId === null || contract.signSha256 === null
          ? null
          : (await storedHash(kernel, db, contract.signFileId)) === contract.signSha256,
      signFile: [...signed.values()][0] ?? null,
      medicines: contract.drugIds.map((medicineId) => ({ medicineId, name: names.get(medicineId) ?? medicineId })),
      drugOptions: listed.flatMap((medicineId) => {
        const name = names.get(medicineId);
        return name === undefined ? [] : [{ medicineId, name }];
      }),
      limits: limits.map(limitText),
      amendments: await amendmentsOf(db, [contract], has),
      terminations: terminations.map((row) => terminationOf(kernel, ctx, row)),
      chain: chain.map(({ id, contractNo, renewSeq, policyNo, startDate, endDate, state }) => ({
        id,
        contractNo,
        renewSeq,
        policyNo,
        startDate,
        endDate,
        state,
      })),
      trail: await trailOf(db, contractRecords.type, contract.id),
    };
  });

export const contractChain = query(queryContractListByContractId, async ({ contractId }, { db, staff, has }) => {
  const contract = await contractRecords.get(db, staff, contractId);
  const contracts = await chainOf(db, contract);
  const ids = contracts.map(({ id }) => id);
  const names = await medicineNames(db, contracts);
  const pays = await own(db).selectFrom('enrolmentContractPay').selectAll().where('contractId', 'in', ids).orderBy('id').execute();
  const refunds = await own(db).selectFrom('enrolmentContractRefund').selectAll().where('contractId', 'in', ids).orderBy('id').execute();
  return {
    contracts: contracts.map((row) => factsOf(row, names, has)),
    amendments: await amendmentsOf(db, contracts, has),
    pays: pays.map((row) => ({
      id: row.id,
      contractId: row.contractId,
      payNo: row.payNo,
      amountFen: Number(row.amountFen),
      state: row.state,
    })),
    refunds: refunds.map((row) => ({
      id: row.id,
      contractId: row.contractId,
      refundNo: row.refundNo,
      amountFen: Number(row.amountFen),
      state: row.state,
    })),
  };
});

export const payDetail = (kernel: Kernel) =>
  query(queryContractPayDetail, async ({ contractId }, { db, staff, has, now }) => {
    const contract = await contractRecords.get(db, staff, contractId);
    const rowsOf = own(db);
    const pays = await rowsOf
      .selectFrom('enrolmentContractPay')
      .selectAll()
      .where('contractId', '=', contract.id)
      .orderBy('id', 'desc')
      .execute();
    const refunds = await rowsOf
      .selectFrom('enrolmentContractRefund')
      .selectAll()
      .where('contractId', '=', contract.id)
      .orderBy('id', 'desc')
      .execute();
    const notices = await rowsOf
      .selectFrom('enrolmentPayNotice')
      .selectAll()
      .where('contractId', '=', contract.id)
      .orderBy('id', 'desc')
      .execute();
    const payById = new Map(pays.map((pay) => [pay.id, pay]));
    const proofs = await briefsOf(
      db,
      CONTRACT_PAY_PROOF,
      payRecords.type,
      pays.map(({ proofFileId }) => proofFileId),
    );
    const backs = await briefsOf(
      db,
      CONTRACT_PAY_PROOF,
      refundRecords.type,
      refunds.map(({ proofFileId }) => proofFileId),
    );
    const isOpen = (state: string) => state === 'APPLIED' || state === 'PENDING' || state === 'UNKNOWN';
    return {
      contract: {
        id: contract.id,
        contractNo: contract.contractNo,
        insuredName: contract.insuredName,
        productName: contract.productName,
        state: contract.state,
        feeFen: Number(contract.signedAt === null ? contract.listFeeFen : contract.feeFen),
        paidFen: Number(contract.paidFen),
        refundedFen: Number(contract.refundedFen),
        refundingFen: refunds.filter(({ state }) => isOpen(state)).reduce((sum, { amountFen }) => sum + Number(amountFen), 0),
      },
      pays: pays.map((pay) => ({
        id: pay.id,
        payNo: pay.payNo,
        amountFen: Number(pay.amountFen),
        refundedFen: Number(pay.refundedFen),
        channel: pay.channel,
        payerName: pay.payerName,
        channelTradeNo: pay.channelTradeNo,
        expireAt: pay.expireAt,
        paidAt: pay.paidAt,
        flag: pay.flag,
        makerName: pay.makerName,
        checkerName: pay.checkerName,
        state: pay.state,
        proof: proofs.get(pay.proofFileId ?? '') ?? null,
        link:
          (pay.state === 'INIT' || pay.state === 'PENDING') && channelOf(pay.channel) !== null && pay.expireAt > now
            ? kernel.pay.linkOf(pay.payNo)
            : null,
        mayRefund:
          has(payPermissions['pay.refund']) &&
          pay.state === 'SUCCESS' &&
          BigInt(pay.refundedFen) < BigInt(pay.amountFen) &&
          !refunds.some(({ payId, state }) => payId === pay.id && isOpen(state)),
        version: pay.version,
        allowedActions: contractPayMachine.allowed(pay.state, has),
      })),
      refunds: refunds.map((refund) => ({
        id: refund.id,
        refundNo: refund.refundNo,
        payId: refund.payId,
        payNo: payById.get(refund.payId)?.payNo ?? '',
        amountFen: Number(refund.amountFen),
        reason: refund.reason,
        calc: refund.calc as RefundCalc,
        makerName: refund.makerName,
        checkerName: refund.checkerName,
        opinion: refund.opinion,
        channelRefundNo: refund.channelRefundNo,
        refundedAt: refund.refundedAt,
        failReason: refund.failReason,
        proof: backs.get(refund.proofFileId ?? '') ?? null,
        byHand: channelOf(payById.get(refund.payId)?.channel ?? '') === null,
        createdAt: refund.createdAt,
        state: refund.state,
        version: refund.version,
        allowedActions: contractRefundMachine.allowed(refund.state, has),
      })),
      notices: notices.map((one) => ({
        id: one.id,
        payNo: one.payNo,
        channel: one.channel,
        channelTradeNo: one.channelTradeNo,
        amountFen: Number(one.amountFen),
        paidAt: one.paidAt,
        source: one.source,
        outcome: one.outcome,
        at: one.at,
      })),
    };
  });
