import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { markPermissions as may } from '../../contract/permissions.ts';
import { MarkList } from './MarkList.tsx';

const ToDecide = () => <MarkList waits />;

const parts: readonly PagePart[] = [
  { key: 'all', label: '全部标记', permission: may['specialUser.view'], content: () => <MarkList /> },
  { key: 'toDecide', label: '待我审批', permission: may['specialUser.audit'], content: ToDecide },
];

/** /specialUser HMO特殊用户标记. */
export default function SpecialUser() {
  return <PageParts parts={parts} />;
}
