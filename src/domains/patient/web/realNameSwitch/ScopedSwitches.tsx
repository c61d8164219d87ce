import { Button } from 'antd';
import { lazy, useState } from 'react';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  delRealNameSwitch,
  modifyRealNameSwitch,
  queryRealNameSwitchList,
  resolveRealNameSwitch,
  type RealNameSwitch,
} from '../../contract/calls/realName.ts';
import { switchScenes, switchScopes, type SwitchScope } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { methodLabels } from './GlobalSwitches.tsx';
import { pickable } from './scopePicker.tsx';

const SwitchForm = lazy(async () => ({ default: (await import('./SwitchForm.tsx')).SwitchForm }));
const refreshes = [queryRealNameSwitchList, resolveRealNameSwitch];

/** Exceptions of one kind; the switch itself asks for the reason. */
export function ScopedSwitches({ scope }: { scope: Exclude<SwitchScope, 'GLOBAL'> }) {
  const editable = useMay()(rights['realNameSwitch.edit']);
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: 10 });
  const layers = useLayers();
  const edit = (row?: RealNameSwitch) => layers.open((close) => <SwitchForm scope={scope} {...(row && { row })} onClose={close} />);
  const { rows, total, error, fetching, refetch } = useList(queryRealNameSwitchList, { scopeType: [scope], ...paging }, { quiet: true });
  const modify = useCommand(modifyRealNameSwitch, { success: SERVER_MESSAGE, refreshes });
  const del = useCommand(delRealNameSwitch, { success: SERVER_MESSAGE, refreshes });
  const toggleRequired = async (row: RealNameSwitch) => {
    const reason = await confirmWithOpinion({
      title: row.required ? '关闭实名要求' : '开启实名要求',
      content: `${row.scopeName}　${switchScenes.label(row.scene)}，确定后立即生效。`,
      facts: [
        { label: '范围', value: row.scopeName },
        { label: '环节', value: switchScenes.label(row.scene) },
        { label: '现在', value: row.required ? '需要实名' : '不需要实名' },
      ],
      label: '原因',
      danger: row.required,
    });
    if (reason !== null)
      await modify.run({
        id: row.id,
        version: row.version,
        required: !row.required,
        minMethod: row.minMethod,
        reason,
      });
  };
  return (
    <>
      {editable && pickable(scope) && (
        <div className="pa-toolbar">
          <Button type="primary" size="small" onClick={() => edit()}>
            新增
          </Button>
        </div>
      )}
      <DataTable<RealNameSwitch>
        height="auto"
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty={`没有按${switchScopes.label(scope)}的设置，按全局默认执行`}
        paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
        columns={[
          { key: 'scopeName', title: '对象', width: 130, value: (row) => row.scopeName || row.scopeId },
          { key: 'scene', title: '场景', kind: 'dict', dictionary: switchScenes, plain: true, width: 92 },
          {
            key: 'required',
            title: '须实名',
            kind: 'custom',
            width: 84,
            render: (row) => (row.locked ? <span title="依法须实名">是（依法）</span> : row.required ? '是' : '否'),
          },
          { key: 'minMethod', title: '最低方式', width: 84, value: (row) => (row.required ? methodLabels[row.minMethod] : '—') },
          { key: 'effectiveFrom', title: '生效时间', kind: 'time' },
          { key: 'effective', title: '已生效', kind: 'flag', width: 72 },
          { key: 'reason', title: '原因', width: 130 },
          { key: 'updatedBy', title: '操作人', width: 100 },
        ]}
        {...(editable && {
          actions: [
            { label: '开关', when: (row: RealNameSwitch) => !row.locked, act: (row: RealNameSwitch) => void toggleRequired(row) },
            { label: '编辑', act: edit },
            {
              label: '删除',
              danger: true,
              act: async (row: RealNameSwitch) => {
                if (await confirmDelete(`${row.scopeName}的${switchScenes.label(row.scene)}设置`, ['改按上一级的设置']))
                  await del.run({ id: row.id, version: row.version });
              },
            },
          ],
        })}
      />
      {layers.shown}
    </>
  );
}
