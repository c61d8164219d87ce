import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { cipher, event } from '#kernel/contract/event.ts';

const id = z.string();
const idOrNull = z.nullable(id);
const text = z.string();

export const contractActivated = event(
  'enrolment.contract.activated',
  z.strictObject({
    contractId: id,
    contractNo: text,
    chainId: id,
    patientId: id,
    hospitalId: idOrNull,
    productLine: text,
    productCode: text,
    productName: text,
    productId: id,
    productVersionId: id,
    policyId: idOrNull,
    policyNo: textOrNull,
    insuredItemId: idOrNull,
    /** The insured person. */
    holder: z.strictObject({ name: text, idType: text, idNoCipher: z.nullable(cipher), mobileCipher: z.nullable(cipher) }),
    startDate: text,
    endDate: text,
    seq: z.int(),
  }),
);
const ended = z.strictObject({
  contractId: id,
  contractNo: text,
  patientId: id,
  insuredItemId: idOrNull,
  productLine: text,
  reason: text,
  onDate: text,
  seq: z.int(),
});
export const contractSuspended = event('enrolment.contract.suspended', ended);
export const contractResumed = event('enrolment.contract.resumed', ended);
export const contractTerminated = event('enrolment.contract.terminated', ended);
export const contractExpired = event('enrolment.contract.expired', ended);
export const applyApproved = event(
  'enrolment.apply.approved',
  z.strictObject({
    applyId: id,
    applyNo: text,
    patientId: id,
    insuredItemId: idOrNull,
    productLine: text,
    productId: id,
    insurerId: idOrNull,
    adcode: textOrNull,
    submittedAt: text,
    decidedAt: text,
    firstRoundPass: z.boolean(),
    testUser: z.boolean(),
    seq: z.int(),
    contractId: idOrNull,
    applicantWording: textOrNull,
    icd10: text,
    diseaseName: text,
    firstDiagnosedOn: text,
    hospitalName: text,
  }),
);
const decided = {
  applyId: id,
  applyNo: text,
  patientId: id,
  insuredItemId: idOrNull,
  productLine: text,
  productId: id,
  insurerId: idOrNull,
  adcode: textOrNull,
  submittedAt: text,
  decidedAt: textOrNull,
  firstRoundPass: z.boolean(),
  testUser: z.boolean(),
  seq: z.int(),
  contractId: idOrNull,
  applicantWording: textOrNull,
};
export const applySubmitted = event('enrolment.apply.submitted', z.strictObject(decided));
export const applyRejected = event('enrolment.apply.rejected', z.strictObject(decided));
/** Wording as the applicant may read it. */
export const applySupplementRequested = event(
  'enrolment.apply.supplementRequested',
  z.strictObject({ applyId: id, applyNo: text, patientId: id, applicantWording: text, dueAt: text }),
);
const endedApply = z.strictObject({
  applyId: id,
  applyNo: text,
  patientId: id,
  insuredItemId: idOrNull,
  applicantWording: textOrNull,
  seq: z.int(),
});
export const applyClosed = event('enrolment.apply.closed', endedApply);
export const applyWithdrawn = event('enrolment.apply.withdrawn', endedApply);
const agreed = z.strictObject({
  contractId: id,
  contractNo: text,
  insuredItemId: idOrNull,
  policyId: idOrNull,
  startDate: textOrNull,
  endDate: textOrNull,
  seq: z.int(),
});
export const contractSigned = event('enrolment.contract.signed', agreed);
export const contractCancelled = event('enrolment.contract.cancelled', agreed);

/** The contract's facts changed from a day on; `seq` counts its changes. */
export const contractAmended = event(
  'enrolment.contract.amended',
  z.strictObject({ contractId: id, seq: z.int(), type: text, effectiveOn: text }),
);
/** What a contract gives and how long, of the pinned version: when it begins, changes and ends. */
export const rightsChanged = event(
  'enrolment.rights.changed',
  z.strictObject({
    contractId: id,
    contractNo: text,
    patientId: id,
    state: text,
    productLine: text,
    productId: id,
    productCode: text,
    insurerId: idOrNull,
    policyId: id,
    planCode: text,
    coverageStart: text,
    coverageEnd: text,
    effectiveFrom: text,
    effectiveTo: text,
    drugList: z.array(id),
    /** Amounts are fen or times; the key is without its period. */
    limits: z.array(z.strictObject({ key: text, label: text, unit: text, subject: text, period: text, limitAmount: z.int() })),
  }),
);
const moved = {
  payNo: text,
  contractId: id,
  contractNo: text,
  patientId: id,
  payerName: text,
  /** In fen. */
  amount: z.int(),
  channel: text,
  at: text,
};
export const contractPaySucceeded = event('enrolment.contractPay.succeeded', z.strictObject(moved));
export const contractRefundSucceeded = event('enrolment.contractRefund.succeeded', z.strictObject({ refundNo: text, ...moved }));
/**
 * A mark of a person came into force, or ends on another day than it was to: it holds from the first to the last day, on none where the
 * last one is before the first. No products: all of the HMO line.
 */
export const specialUserChanged = event(
  'enrolment.specialUser.changed',
  z.strictObject({ personKey: id, markType: z.string(), productIds: z.array(id), from: z.string(), to: z.string() }),
);

/** What was bought before the contract, for whoever settles claims; a drug and its price tell of no person. */
export const otherMaterialApproved = event(
  'enrolment.otherMaterial.approved',
  z.strictObject({
    materialId: id,
    contractId: id,
    kind: z.string(),
    facts: z.strictObject({
      drugName: z.nullable(z.string()),
      quantity: z.nullable(z.int()),
      amountFen: z.nullable(z.int()),
      purchasedOn: z.nullable(z.string()),
    }),
    fileIds: z.array(id),
  }),
);
