import { webConfig } from '#kernel/web/config.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Chain } from './Chain.tsx';
import { FailedJobs } from './FailedJobs.tsx';
import { Logins } from './Logins.tsx';
import { Operations } from './Operations.tsx';
import { SmsOutbox } from './SmsOutbox.tsx';

const tabs: readonly PagePart[] = [
  { key: 'operations', label: '操作日志', permission: may['log.view'], content: Operations },
  { key: 'logins', label: '登录日志', permission: may['loginLog.view'], content: Logins },
  { key: 'chain', label: '链校验', permission: may['log.view'], content: Chain },
  { key: 'jobs', label: '后台任务', permission: may['job.view'], content: FailedJobs },
  { key: 'sms', label: '短信箱', permission: may['sms.view'], content: SmsOutbox },
];

/** /operationLog 操作日志. The development mailbox does not exist in production. */
export default function OperationLog() {
  return <PageParts parts={webConfig().mode === 'production' ? tabs.filter(({ key }) => key !== 'sms') : tabs} />;
}
