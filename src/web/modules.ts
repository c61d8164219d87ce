import type { WebModule } from '#kernel/web/module.ts';
import { cardWeb } from '#domains/card/web/module.ts';
import { channelWeb } from '#domains/channel/web/module.ts';
import { consultationWeb } from '#domains/consultation/web/module.ts';
import { contentWeb } from '#domains/content/web/module.ts';
import { corpusWeb } from '#domains/corpus/web/module.ts';
import { doctorWeb } from '#domains/doctor/web/module.ts';
import { filesWeb } from '#domains/files/web/module.ts';
import { identityWeb } from '#domains/identity/web/module.ts';
import { institutionWeb } from '#domains/institution/web/module.ts';
import { insuranceWeb } from '#domains/insurance/web/module.ts';
import { ledgerWeb } from '#domains/ledger/web/module.ts';
import { invoiceWeb } from '#domains/invoice/web/module.ts';
import { lowcodeWeb } from '#domains/lowcode/web/module.ts';
import { orderWeb } from '#domains/order/web/module.ts';
import { patientWeb } from '#domains/patient/web/module.ts';
import { pharmaWeb } from '#domains/pharma/web/module.ts';
import { policyWeb } from '#domains/policy/web/module.ts';
import { enrolmentWeb } from '#domains/enrolment/web/module.ts';
import { settlementWeb } from '#domains/settlement/web/module.ts';

/** The browser halves of the domains, in the order of map.md's table. */
export const webModules: readonly WebModule[] = [
  identityWeb,
  filesWeb,
  lowcodeWeb,
  pharmaWeb,
  institutionWeb,
  doctorWeb,
  channelWeb,
  patientWeb,
  consultationWeb,
  corpusWeb,
  contentWeb,
  insuranceWeb,
  policyWeb,
  cardWeb,
  orderWeb,
  ledgerWeb,
  enrolmentWeb,
  settlementWeb,
  invoiceWeb,
];
