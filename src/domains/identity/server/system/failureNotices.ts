import type { Kernel } from '#kernel/server/kernel.ts';
import type { FailureNotices } from '#kernel/server/ports.ts';
import { identityPermissions } from '../../contract/permissions.ts';

/** A failed job is an alert of everybody who may see the page of failed jobs. */
export const failureNotices = (kernel: Kernel): FailureNotices => ({
  notify: (tx, { name, label, reason }, now) =>
    kernel.ports.notices.addAlert(
      tx,
      {
        businessKey: `job.failed:${name}:${now}`,
        title: `后台任务失败：${label}`,
        body: reason,
        link: '/operationLog?tab=jobs',
        permission: identityPermissions['job.view'].code,
      },
      now,
    ),
});
