import { lazy } from 'react';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';

import { Users } from './Users.tsx';

// Few people open them.
const Sessions = lazy(async () => ({ default: (await import('./Sessions.tsx')).Sessions }));
const ApiClients = lazy(async () => ({ default: (await import('./ApiClients.tsx')).ApiClients }));
const Policy = lazy(async () => ({ default: (await import('./Policy.tsx')).Policy }));

const tabs: readonly PagePart[] = [
  { key: 'users', label: '用户', permission: may['user.view'], content: Users },
  { key: 'sessions', label: '在线会话', permission: may['session.view'], content: Sessions },
  { key: 'clients', label: '系统调用方', permission: may['apiClient.view'], content: ApiClients },
  { key: 'policy', label: '安全策略', permission: may['policy.view'], content: Policy },
];

/** /userManagement 用户管理. */
export default function UserManagement() {
  return <PageParts parts={tabs} />;
}
