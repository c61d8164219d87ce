import { query } from '#kernel/server/handler.ts';
import { queryQualApplyCounts, queryQualApplyDetail } from '../../contract/calls/qual.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { audit } from './audit.ts';
import { writeApplies } from './demo/writeApplies.ts';
import { qualConsumers } from './consumers.ts';
import { loadApply, reveal } from './detail.ts';
import { registerCertFiles } from './files.ts';
import { withdrawUnansweredJob } from './jobs.ts';
import { findAgain } from './checks/findings.ts';
import { desk } from './desk.ts';
import { qualExport, qualList, queueCounts } from './list.ts';
import { readCertsJob } from './checks/reading.ts';
import { registerHandlers } from './register.ts';
import { saveWork } from './saveWork.ts';

/** Qualification applications: handing in, the audit in two levels, and what an approval does. */
export const qualModule: FeatureModule = {
  handlers(kernel) {
    registerCertFiles();
    const list = qualList(kernel.secrets);
    return [
      list.handler,
      query(queryQualApplyCounts, (_input, ctx) => queueCounts(ctx.db, ctx.staff, ctx.now)),
      query(queryQualApplyDetail, ({ applyId }, ctx) => loadApply(kernel, ctx, applyId)),
      reveal(kernel),
      ...desk.handlers({ taken: (ctx, apply) => findAgain(kernel, ctx, apply) }),
      saveWork(kernel),
      audit(kernel),
      ...registerHandlers(kernel),
    ];
  },
  exports: (kernel) => [qualExport(qualList(kernel.secrets))],
  jobs: [readCertsJob, withdrawUnansweredJob],
  consumers: qualConsumers,
  demo: writeApplies,
  invariants: [
    [
      '资质审核单的初审人、复核人与录入人不为同一人',
      `
        select count(*)::int as n
          from doctor_qual_apply
          where first_auditor_id in (entered_by, second_auditor_id) or second_auditor_id = entered_by`,
    ],
  ],
};
