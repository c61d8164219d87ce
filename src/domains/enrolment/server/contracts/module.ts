import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { cancel, renew, resume, reveal, suspend } from './actions.ts';
import * as amendments from './amend.ts';
import { contractPayee } from './ask.ts';
import { contractCheck } from './check.ts';
import { contractConsumers } from './consumers.ts';
import { contractChain, contractDetail, payDetail } from './detail.ts';
import { contractJobs } from './jobs.ts';
import { contractExport, contractList, payExport, payList } from './list.ts';
import { addRefund, auditOffline, auditRefund, register, sync } from './payHandlers.ts';
import { resendLink, signOnPaper } from './sign.ts';
import { registerSigning } from './signPage.ts';
import { confirm, preview, propose, withdraw } from './terminate.ts';

/** Contracts: signed, paid, in force, changed, renewed, ended. */
export const contractsModule: FeatureModule = {
  handlers: (kernel) => [
    contractList(kernel).handler,
    contractDetail(kernel),
    contractChain,
    reveal(kernel),
    signOnPaper(kernel),
    resendLink(kernel),
    suspend,
    resume,
    cancel,
    renew(kernel),
    preview,
    propose(kernel),
    confirm(kernel),
    withdraw,
    amendments.add(kernel),
    amendments.audit,
    amendments.cancel,
    payList.handler,
    payDetail(kernel),
    sync(kernel),
    register,
    auditOffline(kernel),
    addRefund,
    auditRefund,
  ],
  exports: (kernel) => [contractExport(kernel), payExport],
  jobs: [...contractJobs, contractCheck as JobDeclaration<never>],
  consumers: contractConsumers,
  payees: (kernel) => [contractPayee(kernel)],
  http: registerSigning,
};
