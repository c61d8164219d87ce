import { identityPermissions as may } from '../../contract/permissions.ts';
import { PageTabs } from '../shared/PageTabs.tsx';
import type { PageTab } from '../shared/PageTabs.tsx';
import { Announcements } from './Announcements.tsx';
import { Catalogue } from './Catalogue.tsx';
import { Menus } from './Menus.tsx';
import { WorkCalendar } from './WorkCalendar.tsx';

const tabs: readonly PageTab[] = [
  { key: 'menus', label: '菜单', permission: may['menu.view'], content: Menus },
  { key: 'permissions', label: '权限目录', permission: may['menu.view'], content: Catalogue },
  { key: 'notices', label: '系统公告', permission: may['notice.publish'], content: Announcements },
  { key: 'calendar', label: '工作日历', permission: may['menu.view'], content: WorkCalendar },
];

/** /menuManagement 菜单管理. */
export default function MenuManagement() {
  return <PageTabs tabs={tabs} />;
}
