import { Tabs } from 'antd';
import { lazy, Suspense, type ComponentType } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryDoctorCounts } from '../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { AuditHost } from './audit/AuditHost.tsx';
import { DoctorHost } from './DoctorHost.tsx';
import './doctorManagement.css';

// Each further part is fetched when its tab is opened.
const Doctors = lazy(async () => ({ default: (await import('./Doctors.tsx')).Doctors }));
const QualTab = lazy(() => import('./audit/QualTab.tsx'));
const Recommendations = lazy(() => import('./recommend/Recommendations.tsx'));
const Certs = lazy(async () => ({ default: (await import('./Certs.tsx')).Certs }));

type Counts = 'all' | 'audit' | 'mine' | 'recheck' | 'returned' | 'certs' | 'frozen' | 'recommend';
interface Part {
  key: Counts;
  label: string;
  permission?: { code: string };
  Content: ComponentType;
}
const parts: readonly Part[] = [
  { key: 'all', label: '全部医生', Content: () => <Doctors part="all" /> },
  { key: 'audit', label: '待审核', permission: may['qual.view'], Content: () => <QualTab queue="WAITING" /> },
  { key: 'mine', label: '我的审核', permission: may['qual.audit'], Content: () => <QualTab queue="MINE" /> },
  { key: 'recheck', label: '待医务复核', permission: may['qual.view'], Content: () => <QualTab queue="RECHECK" /> },
  { key: 'returned', label: '退回中', permission: may['qual.view'], Content: () => <QualTab queue="RETURNED" /> },
  { key: 'certs', label: '证件到期', permission: may['qual.view'], Content: Certs },
  { key: 'frozen', label: '已冻结', Content: () => <Doctors part="frozen" /> },
  { key: 'recommend', label: '推荐位', permission: may['recommend.view'], Content: Recommendations },
];

/** /doctorManagement. A doctor and an audit open as drawers over any tab, named by the address. */
export default function DoctorManagement() {
  const allowed = useMay();
  const { path, search } = usePage();
  const { data: counts } = useData(queryDoctorCounts, {}, { quiet: true, every: 60_000 });
  const shown = parts.filter(({ permission }) => permission === undefined || allowed(permission));
  const active = shown.find(({ key }) => key === search['tab']) ?? shown[0]!;
  const { Content } = active;
  return (
    <div className="kq-parts">
      <PartLine
        tabs={
          <Tabs
            size="small"
            activeKey={active.key}
            items={shown.map(({ key, label }) => ({ key, label: counts ? `${label} ${counts[key]}` : label }))}
            onChange={(key) => goTo(path, { tab: key === 'all' ? '' : key }, { replace: true })}
          />
        }
      >
        <div className="kq-part" key={active.key}>
          <Suspense fallback={<div className="kq-loading" />}>
            <Content />
          </Suspense>
        </div>
      </PartLine>
      <DoctorHost />
      <AuditHost />
    </div>
  );
}
