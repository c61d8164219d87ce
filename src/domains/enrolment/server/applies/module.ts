import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { querySignContractCounts, querySignContractDetail } from '../../contract/calls/applies.ts';
import { batchAssign } from './assign.ts';
import { audit } from './decide.ts';
import { loadApply, reveal } from './detail.ts';
import { entryHandlers } from './entry.ts';
import { findAgain } from './facts.ts';
import { registerApplyFiles } from './files.ts';
import { applyConsumers, closeUnansweredJob, remindSupplementJob } from './jobs.ts';
import { applyExport, applyList, queueCounts } from './list.ts';
import { machineHandlers } from './machine.ts';
import { desk } from './records.ts';
import { reviewStat } from './stat.ts';
import { recheckRules, saveWork } from './saveWork.ts';

/** Applications: entered, checked, reviewed by one or two people and the insurer, until they open a contract or end. */
export const appliesModule: FeatureModule = {
  handlers(kernel) {
    registerApplyFiles();
    return [
      applyList(kernel.secrets).handler,
      query(querySignContractCounts, (_input, ctx) => queueCounts(ctx.db, ctx.staff, ctx.now)),
      query(querySignContractDetail, ({ applyId }, ctx) => loadApply(kernel, ctx, applyId)),
      reveal(kernel),
      ...desk.handlers({ taken: (ctx, apply) => findAgain(kernel, ctx, apply) }),
      batchAssign,
      saveWork(kernel),
      recheckRules(kernel),
      audit(kernel),
      reviewStat,
      ...entryHandlers(kernel),
      ...machineHandlers(kernel),
    ];
  },
  exports: (kernel) => [applyExport(applyList(kernel.secrets))],
  jobs: [closeUnansweredJob, remindSupplementJob],
  consumers: applyConsumers,
  invariants: [
    [
      '入组申请的审核人不是录入人，复核人不是初审人',
      `
        select count(*)::int as n
          from enrolment_decision d
          join enrolment_apply a on a.id = d.apply_id
          where d.user_id = a.entered_by
            or d.level = 2 and exists (
              select from enrolment_decision f
                where f.apply_id = d.apply_id and f.round = d.round and f.level = 1 and f.user_id = d.user_id)`,
    ],
    [
      '审核通过的入组申请恰有一份未撤销的合同',
      `
        select count(*)::int as n
          from enrolment_apply a
          where a.state = 'APPROVED' and (
            select count(*) from enrolment_contract c where c.apply_id = a.id and c.cancel_reason is distinct from 'REVOKED') <> 1`,
    ],
    [
      '待补件的入组申请恰有一份未答复的补件通知',
      `
        select count(*)::int as n
          from enrolment_apply a
          where (a.state = 'SUPPLEMENT') <> exists (
            select from enrolment_supplement s where s.owner_type = 'ENROL_APPLY' and s.owner_id = a.id and s.state = 'OPEN')`,
    ],
  ],
};
