import { Modal } from 'antd';
import { useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { geocodeDrugstores, queryDrugstoreDetail, saveStorePlace, type StoreRow } from '../../contract/storeCalls.ts';

/** 解析坐标: proposals from known addresses; the operator confirms them. */
export function GeocodeDialog({ stores, onDone, onClose }: { stores: readonly StoreRow[]; onDone(): void; onClose(): void }) {
  const { data, error, fetching, refetch } = useData(geocodeDrugstores, { ids: stores.slice(0, 200).map(({ id }) => id) }, { quiet: true });
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const [running, setRunning] = useState(false);
  const proposed = (data ?? []).filter((row) => row.lngE6 !== null && row.from !== '已有坐标');
  const confirm = async () => {
    setRunning(true);
    const done: RowOutcome[] = [];
    for (const row of proposed) {
      try {
        await send(saveStorePlace, { id: row.id, version: row.version, lngE6: row.lngE6 ?? 0, latE6: row.latE6 ?? 0 }, { quiet: true });
        done.push({ name: row.name, ok: true, message: '成功' });
      } catch (error) {
        done.push({ name: row.name, ok: false, message: failureText(error) });
      }
      setOutcomes([...done]);
    }
    setRunning(false);
    void refresh(queryDrugstoreDetail);
    onDone();
  };
  if (outcomes) return <BatchResult title="解析坐标" outcomes={outcomes} running={running} total={proposed.length} onClose={onClose} />;
  return (
    <Modal
      open
      width={900}
      title="解析坐标"
      onCancel={onClose}
      onOk={() => void confirm()}
      okText={`确认采用（${proposed.length}）`}
      cancelText="取消"
      okButtonProps={{ disabled: proposed.length === 0, loading: running }}
      destroyOnHidden
    >
      <DataTable
        height={360}
        rows={data}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有可解析的门店"
        columns={[
          { key: 'storeNo', title: '门店编号', width: 170 },
          { key: 'name', title: '名称', width: 180 },
          { key: 'address', title: '地址', width: 200 },
          {
            key: 'place',
            title: '建议坐标',
            width: 170,
            value: (row) => (row.lngE6 === null || row.latE6 === null ? '' : `${row.lngE6 / 1e6}, ${row.latE6 / 1e6}`),
          },
          { key: 'from', title: '依据', width: 220 },
        ]}
      />
    </Modal>
  );
}
