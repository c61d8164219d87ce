import { useEffect, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { useAntiDoubleClick } from '#kernel/web/http/antiDoubleClick.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { enter, leave } from '#kernel/web/session/enter.ts';
import { webPorts } from '#kernel/web/session/gateway.ts';
import { queryChecker } from '../../contract/calls/users.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import { MessagePage } from './MessagePage.tsx';

const NAMED = 3;

/** /noentry 暂无权限: nobody has given this person a menu yet. */
export default function Noentry() {
  const [names, setNames] = useState<readonly string[]>([]);
  const { blocked, block } = useAntiDoubleClick();
  useEffect(() => {
    send(queryChecker, { permission: identityPermissions['user.edit'].code }, { quiet: true })
      .then((people) => setNames([...new Set(people.map((person) => person.displayName))].slice(0, NAMED)))
      // Without names the sentence still says what to do.
      .catch(() => undefined);
  }, []);
  const reload = async () => {
    block();
    try {
      const info = await webPorts().session.queryLoginInfo();
      if (info.userRoleMenu.length === 0 && !info.restricted) toast('仍没有可用的菜单', 'info');
      else enter(info);
    } catch {
      // The error law has said why.
    }
  };
  return (
    <MessagePage
      whole
      title="暂无权限"
      buttons={
        <>
          <button type="button" className="id-submit" disabled={blocked} onClick={() => void reload()}>
            重新加载
          </button>
          <button type="button" className="id-link" onClick={() => void leave()}>
            退出登录
          </button>
        </>
      }
    >
      <p>您还没有可用的菜单，请联系管理员{names.length > 0 && `（${names.join('、')}）`}开通权限</p>
    </MessagePage>
  );
}
