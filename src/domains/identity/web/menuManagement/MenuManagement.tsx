import { lazy } from 'react';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Menus } from './Menus.tsx';

// Each part is fetched when its tab is opened.
const Announcements = lazy(async () => ({ default: (await import('./Announcements.tsx')).Announcements }));
const Catalogue = lazy(async () => ({ default: (await import('./Catalogue.tsx')).Catalogue }));
const WorkCalendar = lazy(async () => ({ default: (await import('./WorkCalendar.tsx')).WorkCalendar }));

const tabs: readonly PagePart[] = [
  { key: 'menus', label: '菜单', permission: may['menu.view'], content: Menus },
  { key: 'permissions', label: '权限目录', permission: may['menu.view'], content: Catalogue },
  { key: 'notices', label: '系统公告', permission: may['notice.publish'], content: Announcements },
  { key: 'calendar', label: '工作日历', permission: may['menu.view'], content: WorkCalendar },
];

/** /menuManagement 菜单管理. */
export default function MenuManagement() {
  return <PageParts parts={tabs} />;
}
