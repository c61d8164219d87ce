import { lazy } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { queryServiceOpeningCounts } from '../../contract/calls/openings.ts';
import type { OpeningState } from '../../contract/states.ts';
import { Applies } from './Applies.tsx';
import '../services/services.css';

// What waits for an audit is opened first.
const Openings = lazy(async () => ({ default: (await import('./Openings.tsx')).Openings }));

const of = (state?: OpeningState) =>
  function StateTab() {
    return <Openings {...(state && { state })} />;
  };
const On = of('ON');
const Paused = of('PAUSED');
const Suspended = of('SUSPENDED');
const All = of();

/** /doctorManagementService 医生服务管理: what waits for an audit, and all openings by state. */
export default function DoctorManagementService() {
  const { data } = useData(queryServiceOpeningCounts, {}, { quiet: true });
  const counted = (label: string, n: number | undefined) => (n === undefined ? label : `${label}（${n}）`);
  return (
    <PageParts
      parts={[
        { key: 'pending', label: counted('待审核', data?.pending), content: Applies },
        { key: 'on', label: counted('已开通', data?.on), content: On },
        { key: 'paused', label: counted('已暂停', data?.paused), content: Paused },
        { key: 'suspended', label: counted('资质停用', data?.suspended), content: Suspended },
        { key: 'all', label: '全部', content: All },
      ]}
    />
  );
}
