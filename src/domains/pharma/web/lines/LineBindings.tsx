import { Button, Drawer, Tabs } from 'antd';
import { useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import {
  bindLineAgent,
  bindLineMedicine,
  queryProductLineDetail,
  queryProductLineList,
  unbindLineMedicine,
} from '../../contract/calls/lines.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { agentMachine, lineMachine } from '../../contract/states.ts';
import { OptionsSelect } from '../shared/OptionSelect.tsx';

type Bound = OutputOf<typeof queryProductLineDetail>['medicines'][number];
const refreshes = [queryProductLineDetail, queryProductLineList];

/** Drawer of one line: its medicines, the people who serve it, its history. */
export function LineBindings({ lineId, tab, onClose }: { lineId: string; tab: 'medicines' | 'agents' | 'trail'; onClose(): void }) {
  const detail = useData(queryProductLineDetail, { lineId }, { quiet: true });
  const { data } = detail;
  const holds = useMay();
  const [medicineIds, setMedicineIds] = useState<string[]>([]);
  const [agentIds, setAgentIds] = useState<string[]>([]);
  const bind = useCommand(bindLineMedicine, { success: '绑定成功!', refreshes, onSuccess: () => setMedicineIds([]) });
  const unbind = useCommand(unbindLineMedicine, { success: '解绑成功!', refreshes });
  const agents = useCommand(bindLineAgent, { success: '修改成功!', refreshes, onSuccess: () => setAgentIds([]) });
  const line = data?.line;
  const editable = line !== undefined && holds(may['line.edit']) && (line.state === 'ACTIVE' || line.state === 'DRAFT');
  const serving = data?.agents.map((agent) => agent.agentId) ?? [];
  return (
    <Drawer open size={880} title={line ? `${line.companyName} · ${line.name}` : '产品线'} onClose={onClose} destroyOnHidden>
      {!data && <Waiting for={detail} />}
      {data && line && (
        <Tabs
          defaultActiveKey={tab}
          items={[
            {
              key: 'medicines',
              label: `药品（${line.medicineCount}）`,
              children: (
                <>
                  {editable && (
                    <div className="kq-row">
                      <OptionsSelect kind="MEDICINE" value={medicineIds} onChange={setMedicineIds} placeholder="搜索药品" />
                      <Button
                        type="primary"
                        disabled={medicineIds.length === 0 || bind.busy}
                        onClick={() => void bind.run({ id: line.id, version: line.version, medicineIds })}
                      >
                        绑定
                      </Button>
                    </div>
                  )}
                  <DataTable
                    rows={data.medicines}
                    rowKey="medicineId"
                    height="auto"
                    empty="暂无绑定药品"
                    columns={[
                      {
                        key: 'medicineNo',
                        title: '药品编号',
                        width: 170,
                        kind: 'link',
                        to: (row) => ({ path: '/medicineManagementTable', search: { medicineId: row.medicineId } }),
                      },
                      { key: 'genericName', title: '通用名', width: 180 },
                      { key: 'strength', title: '规格', width: 100 },
                      { key: 'startDate', title: '自', kind: 'day' },
                      { key: 'endDate', title: '至', kind: 'day' },
                      { key: 'bound', title: '有效', kind: 'flag' },
                    ]}
                    {...(editable && {
                      actions: [
                        {
                          label: '解绑',
                          danger: true,
                          when: (row: Bound) => row.bound,
                          act: async (row: Bound) => {
                            if (
                              await ask({
                                content: `确定要解绑${row.genericName}吗?`,
                                facts: [
                                  { label: '药品编号', value: row.medicineNo },
                                  { label: '产品线', value: line.name },
                                ],
                                danger: true,
                              })
                            )
                              await unbind.run({ id: line.id, version: line.version, medicineIds: [row.medicineId] });
                          },
                        },
                      ],
                    })}
                  />
                </>
              ),
            },
            {
              key: 'agents',
              label: `代表（${line.agentCount}）`,
              children: (
                <>
                  {editable && (
                    <div className="kq-row">
                      <OptionsSelect
                        kind="AGENT"
                        companyId={line.companyId}
                        value={agentIds}
                        onChange={setAgentIds}
                        placeholder="搜索本药企的代表"
                      />
                      <Button
                        type="primary"
                        disabled={agentIds.length === 0 || agents.busy}
                        onClick={() =>
                          void agents.run({ id: line.id, version: line.version, agentIds: [...new Set([...serving, ...agentIds])] })
                        }
                      >
                        增加
                      </Button>
                    </div>
                  )}
                  <DataTable
                    rows={data.agents}
                    rowKey="agentId"
                    height="auto"
                    empty="暂无服务代表"
                    columns={[
                      {
                        key: 'agentNo',
                        title: '代表编号',
                        width: 170,
                        kind: 'link',
                        to: (row) => ({ path: '/agentDetail', search: { agentId: row.agentId } }),
                      },
                      { key: 'name', title: '姓名', width: 120 },
                      { key: 'rank', title: '职级', kind: 'dict', dictionary: agentRanks, plain: true },
                      { key: 'state', title: '状态', kind: 'dict', dictionary: agentMachine.dictionary },
                    ]}
                    {...(editable && {
                      actions: [
                        {
                          label: '移除',
                          danger: true,
                          act: (row: OutputOf<typeof queryProductLineDetail>['agents'][number]) =>
                            agents.run({ id: line.id, version: line.version, agentIds: serving.filter((id) => id !== row.agentId) }),
                        },
                      ],
                    })}
                  />
                </>
              ),
            },
            { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={lineMachine} /> },
          ]}
        />
      )}
    </Drawer>
  );
}
