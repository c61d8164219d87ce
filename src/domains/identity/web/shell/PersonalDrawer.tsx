import { Button, Drawer } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { querySessionList, removeSession } from '../../contract/calls/sessions.ts';
import { loginMethods } from '../../contract/dictionaries.ts';
import { policyDefaults } from '../../contract/policy.ts';
import { Mark } from '../shared/Mark.tsx';
import './shell.css';

/** 个人中心: who I am here, my sessions, my password. */
export default function PersonalDrawer({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Drawer open={open} title="个人中心" size={460} onClose={onClose} destroyOnHidden>
      <Person onClose={onClose} />
    </Drawer>
  );
}

function Person({ onClose }: { onClose(): void }) {
  const me = useSession();
  const days = me.passwordExpiresInDays;
  const changePassword = () => {
    onClose();
    goTo('/editUsePwd');
  };
  return (
    <>
      {days !== null && days <= policyDefaults.passwordWarnDays && <p className="id-warning">密码将在{days}天后到期，请尽快修改。</p>}
      <Facts
        columns={1}
        facts={[
          { label: '姓名', value: me.userName },
          { label: '用户名', value: me.loginName },
          { label: '工号', value: me.opNo },
          { label: '当前角色', value: me.accessPermission },
          { label: '手机号', value: me.mobile ?? NOTHING },
          { label: '最近登录', value: me.lastLoginAt ? `${showInstant(me.lastLoginAt)}（${me.lastLoginIp ?? '地址未知'}）` : '首次登录' },
          { label: '密码有效期', value: days === null ? '不过期' : `剩余${days}天` },
        ]}
      />
      <p>
        <Button onClick={changePassword}>修改密码</Button>
      </p>
      <OwnSessions />
    </>
  );
}

function OwnSessions() {
  const { rows, error, refetch } = useList(querySessionList, { mine: true, state: 'ACTIVE', pageNo: 1, pageSize: 50 }, { quiet: true });
  const end = useCommand(removeSession, { success: SERVER_MESSAGE, refreshes: [querySessionList] });
  const askToEnd = async (sessionId: string, device: string) => {
    if (await ask({ title: '下线', content: `确定要让“${device}”上的登录下线吗?`, danger: true })) await end.run({ sessionId });
  };
  return (
    <Section title="我的在线会话">
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !rows?.length ? (
        <TableEmpty loading={rows === undefined}>没有在线会话</TableEmpty>
      ) : (
        <ul className="id-sessions">
          {rows.map((row) => (
            <li key={row.id}>
              <div>
                <div>
                  {row.deviceLabel ?? '未知设备'} {row.current && <Mark tone="processing">当前</Mark>}
                </div>
                <div className="kq-muted">
                  {row.ip ?? NOTHING} · {loginMethods.label(row.method)} · <Time at={row.issuedAt} />
                </div>
              </div>
              {!row.current && (
                <Button size="small" danger disabled={end.busy} onClick={() => void askToEnd(row.id, row.deviceLabel ?? '未知设备')}>
                  下线
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
