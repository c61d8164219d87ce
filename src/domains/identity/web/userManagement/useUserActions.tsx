import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { modifyUserInfo, openWorkFacts, queryUserInfoList, removeUserInfo, resetUserPassword } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { userErrors } from '../../contract/userErrors.ts';

const refreshes = [queryUserInfoList];
const named = (user: UserView) => `${user.displayName}（${user.opNo}）`;

/**
 * What can be done with one user beside editing; each act asks for an opinion.
 * @param onIssued a temporary password has been made: it is shown once.
 */
export function useUserActions(onIssued: (who: string, password: string) => void) {
  const modify = useCommand(modifyUserInfo, { refreshes });
  const remove = useCommand(removeUserInfo, { success: SERVER_MESSAGE, refreshes });
  const reset = useCommand(resetUserPassword, { refreshes });

  const facts = (user: UserView) =>
    factsIn(queryUserInfoList.output, user, ['userName', 'opNo', 'departmentName', 'postName', 'lastLoginAt']);
  const move =
    (action: 'disable' | 'enable' | 'unlock', label: string, content: (user: UserView) => string, danger = false) =>
    async (user: UserView) => {
      const opinion = await confirmWithOpinion({ title: label, content: content(user), facts: facts(user), danger });
      if (opinion === null) return;
      if (await modify.run({ id: user.id, version: user.version, action, opinion })) toast(`${label}成功!`);
    };

  const leave = async (user: UserView) => {
    const opinion = await confirmWithOpinion({
      title: '办理离职',
      content: `${named(user)}离职后不能恢复：登录会话结束，任职停用，手机号释放。`,
      facts: facts(user),
      danger: true,
    });
    if (opinion === null) return;
    const input = { id: user.id, version: user.version, opinion };
    try {
      await remove.run(input, { quiet: [userErrors.OPEN_WORK.code] });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const kinds = openWorkFacts.safeParse(error.data).data?.openWork ?? [];
      const content = `${error.message}：${kinds.map(({ label, count }) => `${label}${count}项`).join('，')}`;
      if (await ask({ title: '办理离职', content, facts: facts(user), ok: '仍然办理', danger: true }))
        await remove.run({ ...input, confirmOpenWork: true });
    }
  };
  const resetPassword = async (user: UserView) => {
    const opinion = await confirmWithOpinion({
      title: '重置密码',
      content: `将为${named(user)}生成临时密码，其所有会话会立即结束。`,
      facts: facts(user),
      danger: true,
    });
    if (opinion === null) return;
    const answer = await reset.run({ id: user.id, version: user.version, opinion });
    if (answer) onIssued(named(user), answer.data.tempPassword);
  };

  return {
    leave,
    resetPassword,
    unlock: move('unlock', '解锁', (user) => `确定要解锁${named(user)}吗? 失败次数会清零。`),
    enable: move('enable', '启用', (user) => `确定要启用${named(user)}吗?`),
    disable: move('disable', '停用', (user) => `停用后${named(user)}不能登录，其所有会话会立即结束。`, true),
  };
}
