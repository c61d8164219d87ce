import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { findCover } from '#domains/policy/server/index.ts';
import { own } from '../database.ts';
import type { ContractRecord } from './access.ts';
import { drugsOn } from './amend.ts';

type Handle = Db | Tx;
type Wanted = { contractId: string } | { contractNo: string };

/** The state that a contract has, or had, on a day, as far as its days say. */
const stateOn = ({ state, startDate, endDate, terminatedOn }: ContractRecord, day: Day): ContractRecord['state'] => {
  if (state === 'TERMINATED' && terminatedOn !== null && day <= terminatedOn && startDate !== null && startDate <= day) return 'ACTIVE';
  if (state === 'EXPIRED' && startDate !== null && endDate !== null && startDate <= day && day <= endDate) return 'ACTIVE';
  if ((state === 'ACTIVE' || state === 'SUSPENDED') && startDate !== null && day < startDate) return 'NOT_STARTED';
  return state;
};

/** Who pays for what a contract of the line gives. */
const payerOf = ({ productLine, insurerId, insurerName }: ContractRecord) => {
  if (productLine === 'DAAS' || productLine === 'HMO') return { type: 'SPONSOR' as const, id: null, name: '单位或会员基金' };
  if (productLine === 'RSB') return { type: 'PHARMA' as const, id: null, name: '药品企业' };
  return { type: 'INSURER' as const, id: insurerId, name: insurerName ?? '' };
};

/** What a claim needs of a contract on a day; null where there is none. `live`: the policy covers the person on that day. */
export async function getContractForClaim(db: Handle, wanted: Wanted, onDate: Day) {
  const rows = own(db).selectFrom('enrolmentContract').selectAll();
  const contract = await (
    'contractId' in wanted ? rows.where('id', '=', wanted.contractId) : rows.where('contractNo', '=', wanted.contractNo)
  ).executeTakeFirst();
  if (!contract) return null;
  const cover = await findCover(db, { insuredItemId: contract.insuredItemId, day: onDate });
  return {
    contractId: contract.id,
    contractNo: contract.contractNo,
    chainId: contract.chainId ?? contract.id,
    applyId: contract.applyId,
    productLine: contract.productLine,
    productId: contract.productId,
    productCode: contract.productCode,
    productVersionId: contract.productVersionId,
    insuredItemId: contract.insuredItemId,
    policyId: contract.policyId,
    policyNo: contract.policyNo,
    insurerId: contract.insurerId,
    patientId: contract.patientId,
    insuredName: contract.insuredName,
    idType: contract.idType,
    idNoHash: contract.idNoHash,
    idNoCipher: contract.idNoCipher,
    mobileHash: contract.mobileHash,
    mobileCipher: contract.mobileCipher,
    birthDate: contract.birthDate,
    gender: contract.gender,
    state: stateOn(contract, onDate),
    startDate: contract.startDate,
    /** Its last day: of its term, or that on which it was terminated. */
    endDate: contract.terminatedOn ?? contract.endDate,
    /** They fix the policy year of limits. */
    coverageStart: contract.coverageStart,
    coverageEnd: contract.coverageEnd,
    drugKey: contract.drugKey,
    drugIds: await drugsOn({ db }, contract, onDate),
    /** Of the cover on that day: a change of plan cuts it. */
    planCode: cover?.planCode ?? contract.planCode,
    live: cover !== null,
    payee: { name: contract.payeeName, bank: contract.payeeBank, accountCipher: contract.payeeAccountCipher },
    payer: payerOf(contract),
    continuousFrom: contract.continuousFrom,
    hasSocial: contract.hasSocial,
    preExistingIcd: contract.preExistingIcd,
    familySubjectId: contract.familySubjectId,
  };
}

/** Contracts of a certificate, the newest first. */
export const listContractsOfPerson = (db: Handle, idNoHash: string) =>
  own(db)
    .selectFrom('enrolmentContract')
    .select(['id as contractId', 'contractNo', 'productLine', 'productId', 'productName', 'policyNo', 'startDate', 'endDate', 'state'])
    .where('idNoHash', '=', idNoHash)
    .orderBy('id', 'desc')
    .execute();
