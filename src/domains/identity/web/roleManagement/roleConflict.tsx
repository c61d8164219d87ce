import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { queryRoleInfoDetail } from '../../contract/calls/roles.ts';
import { DifferenceView } from './DifferenceView.tsx';
import { differenceOf, factChanges } from './selection.ts';
import type { Chosen, Permission, RoleFacts, RoleNode } from './selection.ts';

/**
 * Another administrator saved first: shows how this edit differs from what stands now. Answers that, and whether to take it instead of
 * the edit.
 */
export async function showRoleConflict(
  message: string,
  id: string,
  mine: Chosen & RoleFacts,
  nodes: readonly RoleNode[],
  catalogue: readonly Permission[],
) {
  const current = await send(queryRoleInfoDetail, { id });
  const now: Chosen = { menus: new Set(current.menuIds), permissions: new Set(current.permissions.map(({ code }) => code)) };
  const reload = await ask({
    title: '角色已被他人修改',
    width: 640,
    ok: '载入最新版本',
    cancel: '保留我的修改',
    content: (
      <>
        <p>{message}</p>
        <p className="kq-muted">与最新版本相比，您的修改为：</p>
        <DifferenceView
          difference={differenceOf(now, mine)}
          facts={factChanges(nodes, current, mine)}
          nodes={nodes}
          catalogue={catalogue}
          users={current.userCount}
        />
      </>
    ),
  });
  return { current, reload };
}
