import { cardUseCases } from '#domains/card/server/card.cases.ts';
import { cardListCases } from '#domains/card/server/cards.cases.ts';
import { cardGrantCases } from '#domains/card/server/grants/grants.cases.ts';
import { cardIssueCases } from '#domains/card/server/issue.cases.ts';
import { channelCases } from '#domains/channel/server/channel.cases.ts';
import { wecomCases } from '#domains/channel/server/wecom.cases.ts';
import { deliveryCases } from '#domains/content/server/delivery/delivery.cases.ts';
import { floorCases } from '#domains/content/server/floors/floors.cases.ts';
import { markCases } from '#domains/content/server/marks/marks.cases.ts';
import { promotionCases } from '#domains/content/server/promotion/promotion.cases.ts';
import { ruleCases } from '#domains/content/server/rules/rules.cases.ts';
import { corpusCases } from '#domains/corpus/server/corpus.cases.ts';
import { assistantCases } from '#domains/doctor/server/assistants/assistants.cases.ts';
import { cardCases } from '#domains/doctor/server/cards/cards.cases.ts';
import { doctorCases } from '#domains/doctor/server/doctors/doctors.cases.ts';
import { inquiryCases } from '#domains/consultation/server/inquiries/inquiries.cases.ts';
import { itemCases } from '#domains/doctor/server/items/items.cases.ts';
import { attributionCases } from '#domains/doctor/server/attribution/attribution.cases.ts';
import { orderCases } from '#domains/doctor/server/orders/orders.cases.ts';
import { openingCases } from '#domains/doctor/server/openings/openings.cases.ts';
import { qualCases } from '#domains/doctor/server/qual/qual.cases.ts';
import { recommendationCases } from '#domains/doctor/server/recommendations/recommendations.cases.ts';
import { insuranceCases } from '#domains/insurance/server/insurance.cases.ts';
import { paymentCases } from '#domains/invoice/server/payments.cases.ts';
import { ledgerCases } from '#domains/ledger/server/ledger.cases.ts';
import { lowcodeCases } from '#domains/lowcode/server/lowcode.cases.ts';
import { filesCases } from '#domains/files/server/files.cases.ts';
import { identityCases } from '#domains/identity/server/identity.cases.ts';
import { institutionCases } from '#domains/institution/server/institution.cases.ts';
import { messageCases } from '#domains/consultation/server/messages/messages.cases.ts';
import { afterSalesCases } from '#domains/order/server/afterSales.cases.ts';
import { manualCases } from '#domains/order/server/manual.cases.ts';
import { ordersCases } from '#domains/order/server/orders.cases.ts';
import { fulfilmentCases } from '#domains/order/server/fulfilment.cases.ts';
import { ruleDocumentCases } from '#domains/order/server/rules.cases.ts';
import { shieldCases } from '#domains/order/server/shield.cases.ts';
import { supplierCases } from '#domains/order/server/supplier.cases.ts';
import { patientCases } from '#domains/patient/server/patient.cases.ts';
import { pharmaCases } from '#domains/pharma/server/pharma.cases.ts';
import { batchCases } from '#domains/policy/server/batches/batches.cases.ts';
import { abnormalCases } from '#domains/policy/server/abnormal.cases.ts';
import { policyCases } from '#domains/policy/server/policy.cases.ts';
import { premiumCases } from '#domains/policy/server/premium.cases.ts';
import { otherMaterialCases } from '#domains/enrolment/server/materials.cases.ts';
import { specialUserCases } from '#domains/enrolment/server/marks.cases.ts';
import { applyCases as enrolApplyCases } from '#domains/enrolment/server/applies.cases.ts';
import { contractCases } from '#domains/enrolment/server/contracts.cases.ts';
import { payoutCases } from '#domains/settlement/server/payout.cases.ts';
import { taxesCases } from '#domains/settlement/server/taxes.cases.ts';
import { billCases } from '#domains/settlement/server/bills.cases.ts';
import { incentiveCases } from '#domains/settlement/server/incentive.cases.ts';
import { perfCases } from '#domains/settlement/server/perf.cases.ts';
import { settlementCases } from '#domains/settlement/server/settlement.cases.ts';
import { queryCases } from '#domains/policy/server/query/query.cases.ts';
import { visitCases } from '#domains/consultation/server/visits/visits.cases.ts';
import { vendorCases } from '#domains/consultation/server/tencent/tencent.cases.ts';
import { participantCases } from '#domains/consultation/server/participants/participants.cases.ts';
import type { CallCase } from './cases.ts';

/** The cases of all domains, for the tests generated from the call table. */
export const allCases: readonly CallCase[] = [
  ...identityCases,
  ...filesCases,
  ...lowcodeCases,
  ...pharmaCases,
  ...institutionCases,
  ...channelCases,
  ...wecomCases,
  ...corpusCases,
  ...deliveryCases,
  ...floorCases,
  ...markCases,
  ...promotionCases,
  ...ruleCases,
  ...patientCases,
  ...inquiryCases,
  ...participantCases,
  ...messageCases,
  ...doctorCases,
  ...itemCases,
  ...openingCases,
  ...qualCases,
  ...orderCases,
  ...attributionCases,
  ...assistantCases,
  ...recommendationCases,
  ...cardCases,
  ...visitCases,
  ...vendorCases,
  ...ledgerCases,
  ...insuranceCases,
  ...cardIssueCases,
  ...cardListCases,
  ...cardGrantCases,
  ...cardUseCases,
  ...manualCases,
  ...ordersCases,
  ...afterSalesCases,
  ...fulfilmentCases,
  ...ruleDocumentCases,
  ...shieldCases,
  ...supplierCases,
  ...policyCases,
  ...queryCases,
  ...enrolApplyCases,
  ...contractCases,
  ...settlementCases,
  ...perfCases,
  ...incentiveCases,
  ...billCases,
  ...payoutCases,
  ...paymentCases,
  ...taxesCases,
  ...batchCases,
  ...abnormalCases,
  ...premiumCases,
  ...specialUserCases,
  ...otherMaterialCases,
];
