import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { pharmaEvents } from '#events/pharma.ts';
import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { pharmaDictionaries } from '../contract/dictionaries.ts';
import { pharmaErrors } from '../contract/errors.ts';
import { pharmaPermissions as may } from '../contract/permissions.ts';
import { MEDICINE_FILE, PHARMA_PAPER } from '../contract/purposes.ts';
import { pharmaRoutes } from '../contract/routes.ts';
import { pharmaStateDictionaries } from '../contract/states.ts';
import { adverseModule } from './adverse/module.ts';
import { agentsModule } from './agents/module.ts';
import { appliesModule } from './applies/module.ts';
import { categoriesModule } from './categories/module.ts';
import { companiesModule } from './companies/module.ts';
import { companyObjects } from './companies/objectType.ts';
import { pharmaConsumers } from './copies.ts';
import { writeDemoAfter } from './demo/after.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { handoverModule } from './handover/module.ts';
import { pharmaJobs } from './jobs.ts';
import { linesModule } from './lines/module.ts';
import { sendMailJob } from './mailer.ts';
import { medicinesModule } from './medicines/module.ts';
import { medicineObjects } from './medicines/objectType.ts';
import { pharmaSets } from './pages/datasets.ts';
import { skusModule } from './skus/module.ts';

const MB = 1024 * 1024;
const purposes = [
  {
    code: PHARMA_PAPER,
    label: '药企资质、协议与备案',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 10,
    sensitive: false,
    uploadPermissions: [may['company.edit'].code, may['line.edit'].code, may['line.state'].code, may['agent.edit'].code],
  },
  {
    code: MEDICINE_FILE,
    label: '药品图片与说明书',
    types: ['jpg', 'png', 'webp', 'pdf'],
    maxSize: 20 * MB,
    count: 9,
    sensitive: false,
    uploadPermissions: [may['medicine.edit'].code],
  },
];

/** Whoever may see a record sees its files; papers of adverse reactions in full only with the right to reveal. */
const owners = {
  'pharma.company': may['company.view'],
  'pharma.productLine': may['line.view'],
  'pharma.medicine': may['medicine.view'],
  'pharma.reimburse': may['medicine.view'],
  'pharma.agent': may['agent.view'],
  'pharma.adverseReport': may['pv.view'],
};

export const pharmaModule: ServerModuleFactory = (kernel) => {
  for (const purpose of purposes) definePurpose(purpose);
  for (const [ownerType, permission] of Object.entries(owners)) {
    registerOwner(ownerType, {
      canRead: async ({ staff }) => staff.permissions.has(permission.code),
      canReadOriginal: async ({ staff }) =>
        staff.permissions.has(ownerType === 'pharma.adverseReport' ? may['sensitive.reveal'].code : permission.code),
    });
  }
  return {
    domain: 'pharma',
    permissions: Object.values(may),
    routes: pharmaRoutes,
    errors: pharmaErrors,
    dictionaries: [...pharmaDictionaries, ...pharmaStateDictionaries],
    events: pharmaEvents,
    ...joinFeatures(kernel, [
      companiesModule(kernel),
      linesModule,
      medicinesModule(kernel),
      skusModule,
      categoriesModule,
      agentsModule(kernel),
      appliesModule,
      handoverModule,
      adverseModule,
      { jobs: [...pharmaJobs, sendMailJob], consumers: pharmaConsumers(kernel), demo: writeDemo },
    ]),
    objectTypes: [medicineObjects, companyObjects],
    datasets: pharmaSets,
    demoAfter: writeDemoAfter,
  };
};
