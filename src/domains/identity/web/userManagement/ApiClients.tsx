import { Button, Tooltip } from 'antd';
import { lazy } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { modifyApiClient, queryApiClientList, type ApiClient } from '../../contract/calls/apiClients.ts';
import { apiKeyStates } from '../../contract/dictionaries.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { apiClientStates } from '../../contract/states.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { scopeSentence } from '../shared/scope.ts';
import { useApiRights } from './ApiRights.tsx';

const OneTimeSecret = lazy(async () => ({ default: (await import('../shared/OneTimeSecret.tsx')).OneTimeSecret }));
const ApiClientForm = lazy(async () => ({ default: (await import('./ApiClientForm.tsx')).ApiClientForm }));
const RotateKey = lazy(async () => ({ default: (await import('./RotateKey.tsx')).RotateKey }));

const keysOf = (client: ApiClient) =>
  client.keys
    .map((key) => `${key.keyId}：${apiKeyStates.label(key.state)}${key.expiresAt ? `，至 ${showInstant(key.expiresAt)}` : ''}`)
    .join('\n') || '无密钥';

/** How many rights, and on pointing which. */
function Rights({ client }: { client: ApiClient }) {
  const rights = useApiRights();
  const names = (rights.data ?? []).filter(({ permission }) => client.permissions.includes(permission)).map(({ label }) => label);
  return <Tooltip title={names.join('、') || '不能调用任何接口'}>{client.permissions.length}</Tooltip>;
}

/** Which rows it reaches: its house, and what its scope leaves of them. */
function Reach({ client }: { client: ApiClient }) {
  const divisions = useSession((state) => state.cityList);
  const house = client.partyName === null ? '' : `仅${client.partyName}${client.party === 'CHAIN' ? '门店' : ''}；`;
  return <>{`${house}${scopeSentence(client.scope, divisions)}`}</>;
}

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
    { key: 'permissionCount', title: '权限数', width: 80, align: 'right', render: (row) => <Rights client={row} /> },
    { key: 'reach', title: '可见数据', width: 200, render: (row) => <Reach client={row} /> },
    { key: 'ipAllow', width: 180, value: (row) => row.ipAllow.join('、') || '拒绝所有地址' },
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
  const layers = useLayers();
  const modify = useCommand(modifyApiClient, { refreshes: [queryApiClientList] });
  const move = (action: 'enable' | 'disable') => async (client: ApiClient) => {
    const { label, danger = false } = apiClientStates.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: action === 'disable' ? `停用后“${client.name}”的调用会立即被拒绝。` : `确定要启用“${client.name}”吗?`,
      facts: factsIn(queryApiClientList.output, client, ['clientId', 'partyName', 'todayCalls', 'lastUsedAt']),
      danger,
    });
    if (opinion !== null && (await modify.run({ id: client.id, version: client.version, action, opinion }))) toast(`${label}成功!`);
  };
  const issue = ({ client, keyId, secret }: { client: ApiClient; keyId: string; secret: string }) =>
    layers.open((close) => (
      <OneTimeSecret title="调用密钥" secret={secret} note="密钥仅显示一次，请立即交给对接方妥善保存。" onClose={close}>
        <p>
          clientId：{client.clientId}　keyId：{keyId}
        </p>
      </OneTimeSecret>
    ));
  const edit = (client: ApiClient | null) => layers.open((close) => <ApiClientForm client={client} onClose={close} onIssued={issue} />);
  const rotate = (client: ApiClient) => layers.open((close) => <RotateKey client={client} onClose={close} onIssued={issue} />);
  return (
    <>
      <ResourceList
        of={clientList}
        toolbar={
          <Can permission={may['apiClient.edit']}>
            <Button type="primary" onClick={() => edit(null)}>
              新增
            </Button>
          </Can>
        }
        actions={[
          { label: '编辑', permission: may['apiClient.edit'], act: edit },
          { label: '轮换密钥', permission: may['apiClient.edit'], when: (client) => client.state === 'ENABLED', act: rotate },
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
      {layers.shown}
    </>
  );
}
