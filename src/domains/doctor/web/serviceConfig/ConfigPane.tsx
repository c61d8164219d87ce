import { Tabs } from 'antd';
import { useState } from 'react';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { TableFailure } from '../../../../kernel/web/kit/TableState.tsx';
import { queryServiceConfig, type ServiceConfigRow } from '../../contract/configCalls.ts';
import { ConfigForm } from './ConfigForm.tsx';
import { ConfigHistory } from './ConfigHistory.tsx';

/** The draft with what holds now, and all former versions. */
export function ConfigPane() {
  const { data, error, refetch } = useData(queryServiceConfig, {}, { quiet: true });
  const [tab, setTab] = useState('form');
  /** A former version whose content the draft starts from. */
  const [basis, setBasis] = useState<ServiceConfigRow | null>(null);
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" />;
  return (
    <>
      <h3>服务配置</h3>
      <Tabs
        size="small" activeKey={tab} onChange={setTab}
        items={[
          { key: 'form', label: data.draft ? `草稿 V${data.draft.versionNo}` : '配置', children: <ConfigForm key={`${data.draft?.id}:${data.draft?.version}:${data.active?.id}:${basis?.id}`} config={data} basis={basis} onSaved={() => setBasis(null)} /> },
          { key: 'history', label: `历史版本（${data.history.length}）`, children: <ConfigHistory config={data} onUse={(row) => { setBasis(row); setTab('form'); }} /> },
        ]}
      />
    </>
  );
}
