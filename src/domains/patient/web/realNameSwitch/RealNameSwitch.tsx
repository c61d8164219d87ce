import { Skeleton, Tabs } from 'antd';
import { useState } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import { queryRealNameSwitchList } from '../../contract/calls/realName.ts';
import { switchScopes } from '../../contract/dictionaries.ts';
import '../shared/patient.css';
import { GlobalSwitches } from './GlobalSwitches.tsx';
import { ScopedSwitches } from './ScopedSwitches.tsx';
import { Trial } from './Trial.tsx';

const narrow = switchScopes.codes.filter((code) => code !== 'GLOBAL');
const SCENES = 20;

/** 患者实名开关: defaults, exceptions by channel, disease, service and doctor, and what they come to. */
export default function RealNameSwitch() {
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const { rows, error, refetch } = useList(
    queryRealNameSwitchList,
    { scopeType: ['GLOBAL'], pageNo: 1, pageSize: SCENES },
    { quiet: true },
  );
  return (
    <div className="pa-switch-page">
      <div>
        <section className="pa-block">
          <h3>全局默认</h3>
          {error ? (
            <TableFailure error={error} onRetry={() => void refetch()} />
          ) : rows ? (
            <GlobalSwitches rows={rows} onDirty={setDirty} />
          ) : (
            <Skeleton active paragraph={{ rows: 6 }} />
          )}
        </section>
        <section className="pa-block">
          <h3>按对象设置</h3>
          <Tabs
            size="small"
            destroyOnHidden
            items={narrow.map((scope) => ({
              key: scope,
              label: `按${switchScopes.label(scope)}`,
              children: <ScopedSwitches scope={scope} />,
            }))}
          />
        </section>
      </div>
      <Trial />
    </div>
  );
}
