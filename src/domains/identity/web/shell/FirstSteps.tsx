import { CheckOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { useEffect, useState } from 'react';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePreference } from '#kernel/web/session/preference.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useTabs } from '#kernel/web/tabs/store.ts';
import { queryFirstSteps } from '../../contract/calls/system.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import './shell.css';

/** What the administrator of a new system does first: a count in the header, ticked off by facts, gone when all is done or he closes it. */
export default function FirstSteps() {
  const isAdministrator = useMay()(may['role.edit']);
  const closed = usePreference('views:firstSteps', false, isAdministrator);
  const wanted = isAdministrator && closed.known && !closed.value;
  const { data = [] } = useData(queryFirstSteps, {}, { enabled: wanted, quiet: true });
  const [open, setOpen] = useState(false);
  const left = data.filter(({ done }) => !done).length;
  const active = useTabs((state) => state.active);
  useEffect(() => {
    // Something may have been done on the page that was left.
    if (left > 0) void refresh(queryFirstSteps);
  }, [active, left]);
  if (!wanted || left === 0) return null;
  const go = (path: string) => {
    setOpen(false);
    goTo(path);
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      content={
        <nav className="id-first-steps" aria-label="开始使用" onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
          <ol>
            {data.map(({ label, path, done }) => (
              <li key={path} className={done ? 'id-first-done' : undefined}>
                {done ? (
                  <>
                    <CheckOutlined aria-label="已完成" />
                    {label}
                  </>
                ) : (
                  <button type="button" className="kq-link" onClick={() => go(path)}>
                    {label}
                  </button>
                )}
              </li>
            ))}
          </ol>
          <Button size="small" type="text" onClick={() => closed.save(true)}>
            不再显示
          </Button>
        </nav>
      }
    >
      <button type="button" className="id-first" aria-expanded={open} title="新系统的第一批工作">
        开始使用 {data.length - left}/{data.length}
      </button>
    </Popover>
  );
}
