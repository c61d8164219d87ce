import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { pharmaEvents } from '../../../events/pharma.ts';
import { attach, definePurpose, registerOwner } from '../../files/server/index.ts';
import { pharmaDictionaries } from '../contract/dictionaries.ts';
import { pharmaErrors } from '../contract/errors.ts';
import { pharmaPermissions as may } from '../contract/permissions.ts';
import { MEDICINE_FILE, PHARMA_PAPER } from '../contract/purposes.ts';
import { pharmaRoutes } from '../contract/routes.ts';
import { pharmaStateDictionaries } from '../contract/states.ts';
import { adverseExport, adverseList } from './adverse/list.ts';
import { pharmaSets } from './pages/datasets.ts';
import { agentExport, agentList } from './agents/list.ts';
import { applyExport, applyList } from './applies/list.ts';
import type { Attachments } from './attachments.ts';
import { companyExport, companyList } from './companies/list.ts';
import { pharmaConsumers } from './copies.ts';
import { writeDemoAfter } from './demo/after.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { importCalls, pharmaHandlers } from './handlers.ts';
import { handoverExport, handoverList } from './handover/list.ts';
import { agentImporter } from './imports/agentImporter.ts';
import { medicineImporter } from './imports/medicineImporter.ts';
import { priceImporter } from './imports/priceImporter.ts';
import { reimburseImporter } from './imports/reimburseImporter.ts';
import { pharmaJobs } from './jobs.ts';
import { lineExport, lineList } from './lines/list.ts';
import { developmentMailer, sendMailJob } from './mailer.ts';
import { medicineExport, medicineList } from './medicines/list.ts';
import { companyObjects } from './companies/objectType.ts';
import { medicineObjects } from './medicines/objectType.ts';
import { priceExport, priceList } from './skus/priceList.ts';
import { reimburseExport, reimburseList } from './skus/reimburseList.ts';

const attachments: Attachments = {
  keep: (ctx, { ownerType, ownerId, field, purpose, fileIds }) =>
    attach(ctx.tx, { ownerType, ownerId, field, purpose, fileIds, userId: ctx.staff.userId }, ctx.now),
};

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
  const agentRows = agentImporter(kernel.secrets);
  const [companies, medicines, agents] = [companyList(kernel), medicineList(kernel), agentList(kernel.secrets)];
  const exports = [
    companyExport(companies),
    lineExport,
    medicineExport(medicines),
    priceExport,
    reimburseExport,
    agentExport(agents, kernel.secrets),
    applyExport,
    handoverExport,
    adverseExport(kernel.secrets),
  ];
  return {
    domain: 'pharma',
    permissions: Object.values(may),
    routes: pharmaRoutes,
    errors: pharmaErrors,
    dictionaries: [...pharmaDictionaries, ...pharmaStateDictionaries],
    events: pharmaEvents,
    handlers: pharmaHandlers({
      kernel,
      attachments,
      mailer: developmentMailer,
      lists: [companies, lineList, medicines, priceList, reimburseList, agents, applyList, handoverList, adverseList],
      exports,
      importers: [
        [importCalls.importMedicine, medicineImporter],
        [importCalls.importSkuPrice, priceImporter],
        [importCalls.importReimburse, reimburseImporter],
        [importCalls.importAgent, agentRows],
      ],
    }),
    jobs: [...pharmaJobs, sendMailJob],
    consumers: pharmaConsumers(kernel),
    exports,
    importers: [medicineImporter, priceImporter, reimburseImporter, agentRows],
    objectTypes: [medicineObjects, companyObjects],
    datasets: pharmaSets,
    demo: writeDemo,
    demoAfter: writeDemoAfter,
  };
};
