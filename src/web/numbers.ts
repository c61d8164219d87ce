import type { NumberPlace } from '#kernel/contract/numberPlace.ts';
import { cardNumbers } from '#domains/card/contract/numbers.ts';
import { channelNumbers } from '#domains/channel/contract/numbers.ts';
import { consultationNumbers } from '#domains/consultation/contract/numbers.ts';
import { contentNumbers } from '#domains/content/contract/numbers.ts';
import { corpusNumbers } from '#domains/corpus/contract/numbers.ts';
import { doctorNumbers } from '#domains/doctor/contract/numbers.ts';
import { enrolmentNumbers } from '#domains/enrolment/contract/numbers.ts';
import { filesNumbers } from '#domains/files/contract/numbers.ts';
import { institutionNumbers } from '#domains/institution/contract/numbers.ts';
import { orderNumbers } from '#domains/order/contract/numbers.ts';
import { pharmaNumbers } from '#domains/pharma/contract/numbers.ts';
import { policyNumbers } from '#domains/policy/contract/numbers.ts';
import { invoiceNumbers } from '#domains/invoice/contract/numbers.ts';
import { settlementNumbers } from '#domains/settlement/contract/numbers.ts';

/** Business numbers of all domains; loaded when somebody looks for one. */
export const numberPlaces: readonly NumberPlace[] = [
  ...cardNumbers,
  ...channelNumbers,
  ...consultationNumbers,
  ...contentNumbers,
  ...corpusNumbers,
  ...doctorNumbers,
  ...enrolmentNumbers,
  ...filesNumbers,
  ...institutionNumbers,
  ...orderNumbers,
  ...pharmaNumbers,
  ...policyNumbers,
  ...settlementNumbers,
  ...invoiceNumbers,
];
