import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { queryFailedJobList, retryFailedJob } from '../../contract/calls/system.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';

const jobs = resource(queryFailedJobList, {
  routeKey: 'operationLog.jobs',
  rowKey: 'jobId',
  empty: '没有失败的后台任务',
  filters: ['jobName', { kind: 'instants', names: ['from', 'to'], label: '失败时间' }],
  columns: [
    { key: 'label', width: 200, required: true },
    { key: 'subject', width: 180 },
    'failedAt',
    { key: 'attempts', width: 70 },
    { key: 'reason', width: 420 },
    { key: 'traceId', width: 220, to: (row) => (row.traceId ? () => goTo('/operationLog', { traceId: row.traceId }) : null) },
  ],
});

/** Tab 后台任务: what gave up after its retries, and what fails again and again; a retry runs the same payload again. */
export function FailedJobs() {
  const retry = useCommand(retryFailedJob, { success: SERVER_MESSAGE, refreshes: [queryFailedJobList] });
  return (
    <ResourceList
      of={jobs}
      actions={[
        {
          label: '重试',
          permission: may['job.retry'],
          when: (row) => !row.repeats,
          act: async (row) => {
            const opinion = await confirmWithOpinion({
              title: '重试',
              content: `将以相同内容重新执行“${row.label}”。`,
              facts: factsIn(queryFailedJobList.output, row, ['subject', 'failedAt', 'attempts', 'reason']),
            });
            if (opinion !== null) await retry.run({ jobId: row.jobId, opinion });
          },
        },
      ]}
    />
  );
}
