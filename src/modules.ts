import { cardModule } from '#domains/card/server/module.ts';
import { channelModule, channelNames, channelsByNo } from '#domains/channel/server/module.ts';
import { consultationModule } from '#domains/consultation/server/module.ts';
import { contentModule } from '#domains/content/server/module.ts';
import { corpusModule, openTasks } from '#domains/corpus/server/module.ts';
import { doctorModule, openApplications, openConversations } from '#domains/doctor/server/module.ts';
import { filesModule } from '#domains/files/server/module.ts';
import { identityModule } from '#domains/identity/server/module.ts';
import { chainNames, institutionModule, institutionTips, openHospitalApplies } from '#domains/institution/server/module.ts';
import { insuranceModule, insurerNames } from '#domains/insurance/server/module.ts';
import { invoiceModule } from '#domains/invoice/server/module.ts';
import { ledgerModule } from '#domains/ledger/server/module.ts';
import { lowcodeModule } from '#domains/lowcode/server/module.ts';
import { openRx, orderModule } from '#domains/order/server/module.ts';
import { patientModule } from '#domains/patient/server/module.ts';
import { pharmaModule } from '#domains/pharma/server/module.ts';
import { openPremiumOrders, policyModule } from '#domains/policy/server/module.ts';
import { enrolmentModule, openEnrolApplies, openOtherMaterials } from '#domains/enrolment/server/module.ts';
import { settlementModule } from '#domains/settlement/server/module.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';

/** The domains of the running product, each after those whose demonstration rows it names. */
export const modules: readonly ServerModuleFactory[] = [
  (kernel) =>
    identityModule(kernel, {
      tipSources: [institutionTips],
      openWork: [
        openConversations,
        openApplications,
        openHospitalApplies,
        openPremiumOrders,
        openTasks,
        openEnrolApplies,
        openOtherMaterials,
        openRx,
      ],
      names: { insurer: insurerNames, channel: channelNames, chain: chainNames },
    }),
  filesModule,
  pharmaModule,
  institutionModule,
  channelModule,
  patientModule,
  insuranceModule,
  // Its demonstration covers patients by the products that are sold.
  policyModule,
  // Its demonstration enters those whom policies cover.
  enrolmentModule,
  ledgerModule,
  // Its demonstration grants value to people at drugstores, in books that are open.
  cardModule,
  // Its demonstration hides medicines for products, cities and channels.
  (kernel) => orderModule(kernel, { names: channelNames, byNo: channelsByNo }),
  // Its demonstration pays for orders.
  invoiceModule,
  corpusModule,
  // Its demonstration names channels and diseases.
  doctorModule,
  // Its demonstration pays for the consultations that doctors have completed.
  settlementModule,
  consultationModule,
  // Its demonstration marks what the others made.
  contentModule,
  // Pages of definitions name what all of them registered.
  lowcodeModule,
];
