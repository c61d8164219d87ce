import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { Findings } from './Findings.tsx';
import { Overview } from './Overview.tsx';

const Checks = lazy(async () => ({ default: (await import('./Checks.tsx')).Checks }));
const Owners = lazy(async () => ({ default: (await import('./Owners.tsx')).Owners }));

const permission = may['abnormal.view'];
const parts: readonly PagePart[] = [
  { key: 'mine', label: '待我处理', permission: may['abnormal.handle'], content: () => <Findings mine /> },
  { key: 'all', label: '全部', permission, content: () => <Findings /> },
  { key: 'ignore', label: '待批准忽略', permission, content: () => <Findings state="IGNORE_PENDING" /> },
  { key: 'resolved', label: '已解决', permission, content: () => <Findings state="RESOLVED" /> },
  { key: 'checks', label: '检查项', permission, content: Checks },
  { key: 'owners', label: '责任人', permission, content: Owners },
];

/** /abnormalPolicyData 异常保单数据. */
export default function AbnormalPolicyData() {
  return <PageParts parts={parts} beside={<Overview />} />;
}
