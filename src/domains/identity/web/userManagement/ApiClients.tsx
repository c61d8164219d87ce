import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { showInstant } from '../../../../kernel/contract/time.ts';
import { confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { useCommand } from '../../../../kernel/web/http/queries.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { modifyApiClient, queryApiClientList, type ApiClient } from '../../contract/calls/apiClients.ts';
import { apiKeyStates } from '../../contract/dictionaries.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { apiClientStates } from '../../contract/states.ts';
import { OneTimeSecret } from '../shared/OneTimeSecret.tsx';
import { ApiClientForm } from './ApiClientForm.tsx';
import { RotateKey } from './RotateKey.tsx';

const keysOf = (client: ApiClient) =>
  client.keys
    .map((key) => `${key.keyId}：${apiKeyStates.label(key.state)}${key.expiresAt ? `，至 ${showInstant(key.expiresAt)}` : ''}`)
    .join('\n') || '无密钥';

const clientList = resource(queryApiClientList, {
  routeKey: 'userManagement.clients',
  empty: '没有系统调用方，点击“新增”创建',
  filters: ['name', 'party', 'state'],
  columns: [
    { key: 'name', width: 170, required: true },
    { key: 'party', plain: true, width: 90 },
    { key: 'clientId', width: 190 },
    {
      key: 'keys',
      width: 70,
      render: (row) => (
        <Tooltip title={<span style={{ whiteSpace: 'pre-line' }}>{keysOf(row)}</span>}>
          {row.keys.filter((key) => key.state === 'ACTIVE').length}
        </Tooltip>
      ),
    },
    { key: 'permissionCount', title: '权限数', kind: 'number', width: 80, value: (row) => row.permissions.length },
    { key: 'ipAllow', width: 180, value: (row) => row.ipAllow.join('、') || '不限制' },
    'ratePerMin',
    { key: 'todayCalls', width: 90 },
    {
      key: 'todayFailed',
      width: 80,
      align: 'right',
      render: (row) => <span className={row.todayFailed ? 'kq-number kq-danger' : 'kq-number'}>{row.todayFailed}</span>,
    },
    'lastUsedAt',
    { key: 'state', width: 80 },
  ],
});

/** Tab 系统调用方. */
export function ApiClients() {
  const [edited, setEdited] = useState<ApiClient | 'new' | null>(null);
  const [rotated, setRotated] = useState<ApiClient | null>(null);
  const [issued, setIssued] = useState<{ keyId: string; secret: string; clientId: string } | null>(null);
  const modify = useCommand(modifyApiClient, { refreshes: [queryApiClientList] });
  const move = (action: 'enable' | 'disable') => async (client: ApiClient) => {
    const { label, danger = false } = apiClientStates.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: action === 'disable' ? `停用后“${client.name}”的调用会立即被拒绝。` : `确定要启用“${client.name}”吗?`,
      danger,
    });
    if (opinion !== null && (await modify.run({ id: client.id, version: client.version, action, opinion }))) toast(`${label}成功!`);
  };
  const issue = (answer: { client: ApiClient; keyId: string; secret: string }) =>
    setIssued({ keyId: answer.keyId, secret: answer.secret, clientId: answer.client.clientId });
  return (
    <>
      <ResourceList
        of={clientList}
        actionWidth={200}
        toolbar={
          <Can permission={may['apiClient.edit']}>
            <Button type="primary" onClick={() => setEdited('new')}>
              新增
            </Button>
          </Can>
        }
        actions={[
          { label: '编辑', permission: may['apiClient.edit'], act: setEdited },
          { label: '轮换密钥', permission: may['apiClient.edit'], when: (client) => client.state === 'ENABLED', act: setRotated },
          {
            label: '停用',
            permission: may['apiClient.edit'],
            when: (client) => client.state === 'ENABLED',
            danger: true,
            act: move('disable'),
          },
          { label: '启用', permission: may['apiClient.edit'], when: (client) => client.state === 'DISABLED', act: move('enable') },
        ]}
      />
      {edited && <ApiClientForm client={edited === 'new' ? null : edited} onClose={() => setEdited(null)} onIssued={issue} />}
      {rotated && <RotateKey client={rotated} onClose={() => setRotated(null)} onIssued={issue} />}
      <OneTimeSecret
        title="调用密钥"
        secret={issued?.secret ?? null}
        note="密钥仅显示一次，请立即交给对接方妥善保存。"
        onClose={() => setIssued(null)}
      >
        <p>
          clientId：{issued?.clientId ?? NOTHING}　keyId：{issued?.keyId ?? NOTHING}
        </p>
      </OneTimeSecret>
    </>
  );
}
