import { CheckOutlined, CloseOutlined } from '@ant-design/icons';
import { useEffect } from 'react';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePreference } from '#kernel/web/session/preference.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useTabs } from '#kernel/web/tabs/store.ts';
import { queryFirstSteps } from '../../contract/calls/system.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import './shell.css';

/** What the administrator of a new system does first: ticked off by facts, gone when all is done or he closes it. */
export default function FirstSteps() {
  const isAdministrator = useMay()(may['role.edit']);
  const closed = usePreference('views:firstSteps', false, isAdministrator);
  const wanted = isAdministrator && closed.known && !closed.value;
  const { data = [] } = useData(queryFirstSteps, {}, { enabled: wanted, quiet: true });
  const left = data.filter(({ done }) => !done).length;
  const active = useTabs((state) => state.active);
  useEffect(() => {
    // Something may have been done on the page that was left.
    if (left > 0) void refresh(queryFirstSteps);
  }, [active, left]);
  if (!wanted || left === 0) return null;
  return (
    <nav className="id-first" aria-label="开始使用">
      <b>开始使用</b>
      <ol>
        {data.map(({ label, path, done }) => (
          <li key={path} className={done ? 'id-first-done' : undefined}>
            {done ? (
              <>
                <CheckOutlined aria-label="已完成" />
                {label}
              </>
            ) : (
              <button type="button" className="kq-link" onClick={() => goTo(path)}>
                {label}
              </button>
            )}
          </li>
        ))}
      </ol>
      <button type="button" className="kq-icon" aria-label="关闭开始使用" title="不再显示" onClick={() => closed.save(true)}>
        <CloseOutlined />
      </button>
    </nav>
  );
}
