import { BulbOutlined, LogoutOutlined, QuestionOutlined, SettingOutlined } from '@ant-design/icons';
import { SearchIcon } from '../kit/SearchIcon.tsx';
import { useEffect, useState } from 'react';
import { PopMenu } from '../kit/PopMenu.tsx';
import { usePreference } from '../session/preference.ts';
import { leave, switchRole } from '../session/enter.ts';
import { useSession } from '../session/store.ts';
import { Slot } from '../slots.tsx';
import { useTheme } from '../theme/ThemeRoot.tsx';
import { bell, firstWork, personalDrawer } from './slots.ts';

interface UserCornerProps {
  onSearch(): void;
  onHelp(): void;
}

/** Right end of the header: search, role, access permission, notices, name, settings. */
export function UserCorner({ onSearch, onHelp }: UserCornerProps) {
  const { userName, accessPermission, roles, roleMenuId } = useSession();
  const [drawer, setDrawer] = useState(false);
  const [switching, setSwitching] = useState(false);
  const change = async (id: string) => {
    setSwitching(true);
    try {
      await switchRole(id);
    } catch {
      // The error law has shown why; the role stays.
    } finally {
      setSwitching(false);
    }
  };
  return (
    <div className="kq-corner">
      <Slot of={firstWork} props={{}} />
      <button type="button" className="kq-icon" onClick={onSearch} aria-label="搜索" title="搜索菜单、业务编号与本页操作（Ctrl+K）">
        <SearchIcon />
      </button>
      <ThemeSwitch />
      <button type="button" className="kq-icon" onClick={onHelp} aria-label="键盘快捷键" title="键盘快捷键（?）">
        <QuestionOutlined />
      </button>
      <Slot of={bell} props={{}} />
      {roles.length > 1 ? (
        <PopMenu
          label={`当前角色：${accessPermission}`}
          className="kq-role"
          disabled={switching}
          items={roles.map((role) => ({
            key: role.roleMenuId,
            label: role.accessPermission,
            chosen: role.roleMenuId === roleMenuId,
            act: () => void change(role.roleMenuId),
          }))}
        >
          <span title={`当前角色：${accessPermission}`}>{accessPermission}</span>
          <i className="kq-caret" aria-hidden />
        </PopMenu>
      ) : (
        <span className="kq-access" title={accessPermission}>
          {accessPermission}
        </span>
      )}
      <button type="button" className="kq-user" onClick={() => setDrawer(true)}>
        {userName}
      </button>
      <PopMenu
        label="设置"
        className="kq-icon"
        items={[{ key: 'logout', icon: <LogoutOutlined />, label: '退出登录', act: () => void leave() }]}
      >
        <SettingOutlined />
      </PopMenu>
      <Slot of={personalDrawer} props={{ open: drawer, onClose: () => setDrawer(false) }} />
    </div>
  );
}

/** Light or dark, kept on the server. */
function ThemeSwitch() {
  const { value, known, save } = usePreference<'light' | 'dark'>('theme', 'light');
  const name = useTheme((state) => state.name);
  useEffect(() => {
    if (known) useTheme.setState({ name: value === 'dark' ? 'dark' : 'light' });
  }, [known, value]);
  const label = name === 'dark' ? '切换到浅色' : '切换到深色';
  return (
    <button type="button" className="kq-icon" aria-label={label} title={label} onClick={() => save(name === 'dark' ? 'light' : 'dark')}>
      <BulbOutlined />
    </button>
  );
}
