import { Tabs } from 'antd';
import { useRef, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryServiceConfig, type ServiceConfigRow } from '../../contract/calls/config.ts';
import { ConfigForm } from './ConfigForm.tsx';
import type { LoadedConfig } from './loadedConfig.ts';
import { ConfigHistory } from './ConfigHistory.tsx';

/** The draft with what holds now, and all former versions. */
export function ConfigPane() {
  const found = useData(queryServiceConfig, {}, { quiet: true });
  const { data } = found;
  const [tab, setTab] = useState('form');
  /** A former version whose content the draft starts from. */
  const [basis, setBasis] = useState<ServiceConfigRow | null>(null);
  const [touched, setTouched] = useState(false);
  // A colleague's save must not fill the fields anew under the operator's hands.
  const held = useRef<LoadedConfig>(undefined);
  if (data && (!touched || !held.current)) held.current = data;
  const config = held.current;
  if (!data || !config) return <Waiting for={found} />;
  return (
    <>
      <h3>服务配置</h3>
      <Tabs
        size="small"
        activeKey={tab}
        onChange={setTab}
        items={[
          {
            key: 'form',
            label: config.draft ? `草稿 V${config.draft.versionNo}` : '配置',
            children: (
              <ConfigForm
                key={`${config.draft?.id}:${config.draft?.version}:${config.active?.id}:${basis?.id}`}
                config={config}
                latest={data}
                basis={basis}
                onTouched={setTouched}
                onSaved={() => setBasis(null)}
              />
            ),
          },
          {
            key: 'history',
            label: `历史版本（${data.history.length}）`,
            children: (
              <ConfigHistory
                config={data}
                onUse={(row) => {
                  setBasis(row);
                  setTab('form');
                }}
              />
            ),
          },
        ]}
      />
    </>
  );
}
