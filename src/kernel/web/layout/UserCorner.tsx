import { BulbOutlined, LogoutOutlined, QuestionOutlined, SearchOutlined, SettingOutlined } from '@ant-design/icons';
import { Dropdown, Select, Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import { usePreference } from '../session/preference.ts';
import { leave, switchRole } from '../session/enter.ts';
import { useSession } from '../session/store.ts';
import { Slot } from '../slots.tsx';
import { useTheme } from '../theme/ThemeRoot.tsx';
import { bell, personalDrawer } from './slots.ts';

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
      <Tooltip title="搜索菜单（Ctrl+K）">
        <button type="button" className="kq-icon" onClick={onSearch} aria-label="搜索菜单">
          <SearchOutlined />
        </button>
      </Tooltip>
      <ThemeSwitch />
      <Tooltip title="键盘快捷键（?）">
        <button type="button" className="kq-icon" onClick={onHelp} aria-label="键盘快捷键">
          <QuestionOutlined />
        </button>
      </Tooltip>
      <Slot of={bell} props={{}} />
      {roles.length > 1 ? (
        <Tooltip title={`当前角色：${accessPermission}`}>
          <Select
            size="small"
            className="kq-role"
            aria-label="当前角色"
            value={roleMenuId}
            loading={switching}
            disabled={switching}
            popupMatchSelectWidth={false}
            options={roles.map((role) => ({ value: role.roleMenuId, label: role.accessPermission }))}
            onChange={(id: string) => void change(id)}
          />
        </Tooltip>
      ) : (
        <span className="kq-access" title={accessPermission}>
          {accessPermission}
        </span>
      )}
      <button type="button" className="kq-user" onClick={() => setDrawer(true)}>
        {userName}
      </button>
      <Dropdown trigger={['click']} menu={{ items: [{ key: 'logout', icon: <LogoutOutlined />, label: '退出登录', onClick: () => void leave() }] }}>
        <button type="button" className="kq-icon" aria-label="设置">
          <SettingOutlined />
        </button>
      </Dropdown>
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
    <Tooltip title={label}>
      <button type="button" className="kq-icon" aria-label={label} onClick={() => save(name === 'dark' ? 'light' : 'dark')}>
        <BulbOutlined />
      </button>
    </Tooltip>
  );
}
