import { Button, Form, Input, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { copyText } from '../../../../kernel/web/feedback/copy.ts';
import { Facts, Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { displayBy } from '../../../../kernel/web/form/conflictRows.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { useAct, useList } from '../../../../kernel/web/http/queries.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import { TableEmpty, TableFailure } from '../../../../kernel/web/kit/TableState.tsx';
import { Dict, Time } from '../../../../kernel/web/kit/values.tsx';
import {
  changeCorpState,
  queryCorpList,
  querySyncRunList,
  saveCorp,
  saveCorpApp,
  syncWeChatWork,
  testCorp,
  type CorpRow,
} from '../../contract/calls/wecom.ts';
import { corpModes, syncKinds } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { corpStates } from '../../contract/states.ts';
import { askMove } from '../shared/moves.tsx';

const PAGE = { pageNo: 1, pageSize: 100 } as const;
const refreshes = [queryCorpList];

interface CorpValues {
  corpId: string;
  name: string;
  mode: CorpRow['mode'];
  contactSecret?: string;
  callbackToken?: string;
  encodingAesKey?: string;
}

const kept = (configured: boolean | undefined) => (configured ? '已配置，不修改请留空' : '未配置');

function CorpForm({ corp, onClose }: { corp: CorpRow | null; onClose(): void }) {
  return (
    <FormDrawer<typeof saveCorp, CorpValues>
      open
      title={corp ? `编辑企业：${corp.name}` : '新增企业'}
      call={saveCorp}
      refreshes={refreshes}
      success="保存成功，请测试连接"
      recordKey={corp?.id ?? 'new'}
      onClose={onClose}
      labels={{ name: '企业名称', corpId: '企业ID', mode: '接入方式' }}
      display={displayBy({ mode: corpModes })}
      valuesOf={(current) => current as Partial<CorpValues>}
      initial={corp ? { corpId: corp.corpId, name: corp.name, mode: corp.mode } : { mode: 'LOCAL' }}
      toInput={({ contactSecret, callbackToken, encodingAesKey, ...values }) => ({
        ...values,
        ...(contactSecret && { contactSecret }),
        ...(callbackToken && { callbackToken }),
        ...(encodingAesKey && { encodingAesKey }),
        ...(corp && { id: corp.id, version: corp.version }),
      })}
    >
      <Form.Item label="企业名称" name="name" rules={[{ required: true, whitespace: true, message: '请输入企业名称' }]}>
        <Input maxLength={40} />
      </Form.Item>
      <Form.Item label="企业ID" name="corpId" rules={[{ required: true, pattern: /^[A-Za-z0-9_-]{4,64}$/, message: '企业ID格式不正确' }]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item label="接入方式" name="mode">
        <Select placeholder="请选择" options={corpModes.options.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
      <Form.Item label="客户联系Secret" name="contactSecret">
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.contactSecret)} />
      </Form.Item>
      <Form.Item label="回调Token" name="callbackToken">
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.callbackToken)} />
      </Form.Item>
      <Form.Item label="EncodingAESKey" name="encodingAesKey" rules={[{ pattern: /^[A-Za-z0-9]{43}$/, message: 'EncodingAESKey须为43位' }]}>
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.encodingAesKey)} />
      </Form.Item>
    </FormDrawer>
  );
}

interface AppValues {
  agentId: string;
  name: string;
  homeUrl?: string | null;
  state: 'ENABLED' | 'DISABLED';
  secret?: string;
}

function AppForm({ corp, app, onClose }: { corp: CorpRow; app: CorpRow['apps'][number] | null; onClose(): void }) {
  return (
    <FormDrawer<typeof saveCorpApp, AppValues>
      open
      title={app ? `编辑应用：${app.name}` : '新增应用'}
      call={saveCorpApp}
      refreshes={refreshes}
      success="保存成功!"
      recordKey={app?.id ?? 'new'}
      onClose={onClose}
      initial={app ? { agentId: app.agentId, name: app.name, homeUrl: app.homeUrl, state: app.state as 'ENABLED' } : { state: 'ENABLED' }}
      toInput={({ secret, homeUrl, ...values }) => ({
        corpRowId: corp.id,
        ...values,
        homeUrl: homeUrl?.trim() || null,
        ...(secret && { secret }),
      })}
    >
      <Form.Item label="应用名称" name="name" rules={[{ required: true, whitespace: true, message: '请输入应用名称' }]}>
        <Input maxLength={40} />
      </Form.Item>
      <Form.Item label="AgentId" name="agentId" rules={[{ required: true, pattern: /^\d{1,12}$/, message: 'AgentId须为数字' }]}>
        <Input disabled={app !== null} />
      </Form.Item>
      <Form.Item label="应用主页" name="homeUrl" rules={[{ pattern: /^https:\/\//, message: '主页须以https://开头' }]}>
        <Input maxLength={290} />
      </Form.Item>
      <Form.Item label="应用Secret" name="secret">
        <Input.Password autoComplete="new-password" placeholder={kept(app?.configured)} />
      </Form.Item>
      <Form.Item label="状态" name="state">
        <Select
          placeholder="请选择"
          options={[
            { value: 'ENABLED', label: '启用' },
            { value: 'DISABLED', label: '停用' },
          ]}
        />
      </Form.Item>
    </FormDrawer>
  );
}

/** Tab 企业与应用: one card per company. */
export function Corps() {
  const { rows, error, refetch } = useList(queryCorpList, PAGE, { quiet: true });
  const [edited, setEdited] = useState<{ corp: CorpRow | null } | null>(null);
  const [app, setApp] = useState<{ corp: CorpRow; app: CorpRow['apps'][number] | null } | null>(null);
  const test = useAct(testCorp, { success: '连接正常', refreshes });
  const change = useAct(changeCorpState, { success: '操作成功!', refreshes });
  const sync = useAct(syncWeChatWork, { success: '已开始同步，可在同步记录中查看进度', refreshes: [queryCorpList, querySyncRunList] });
  const move = async (corp: CorpRow, action: 'disable' | 'enable') => {
    const opinion = await askMove(corpStates, action, corp.name);
    if (opinion !== null) await change.run({ id: corp.id, version: corp.version, action, ...(opinion && { opinion }) });
  };
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!rows) return <Skeleton active className="kq-pad" />;
  return (
    <div className="ch-cards">
      <Can permission={rights['wecom.admin']}>
        <Button type="primary" onClick={() => setEdited({ corp: null })}>
          新增企业
        </Button>
      </Can>
      {rows.length === 0 && <TableEmpty loading={false}>还没有接入企业</TableEmpty>}
      {rows.map((corp) => (
        <Section
          key={corp.id}
          title={
            <>
              {corp.name} <Dict of={corpStates.dictionary} code={corp.state} />
            </>
          }
          extra={
            <span className="kq-row">
              <Can permission={rights['wecom.sync']}>
                {corp.state === 'CONNECTED' &&
                  syncKinds.codes.map((kind) => (
                    <Button key={kind} size="small" disabled={sync.busy} onClick={() => void sync.run({ corpRowId: corp.id, kind })}>
                      同步{syncKinds.label(kind)}
                    </Button>
                  ))}
              </Can>
              <Can permission={rights['wecom.admin']}>
                {corp.state !== 'DISABLED' && (
                  <Button
                    size="small"
                    type="primary"
                    loading={test.flying}
                    onClick={() => void test.run({ id: corp.id }).then(() => refetch())}
                  >
                    测试连接
                  </Button>
                )}
                <Button size="small" onClick={() => setEdited({ corp })}>
                  编辑
                </Button>
                <Button size="small" onClick={() => setApp({ corp, app: null })}>
                  新增应用
                </Button>
                {corp.state === 'DISABLED' ? (
                  <Button size="small" onClick={() => void move(corp, 'enable')}>
                    启用
                  </Button>
                ) : (
                  <Button size="small" danger onClick={() => void move(corp, 'disable')}>
                    停用
                  </Button>
                )}
              </Can>
            </span>
          }
        >
          <Facts
            facts={[
              { label: '企业ID', value: corp.corpId },
              { label: '接入方式', value: corpModes.label(corp.mode) },
              { label: '最近同步', value: <Time at={corp.lastSyncAt} /> },
              { label: '成员', value: `${corp.members}名，已绑定${corp.bound}名` },
              { label: '联系我用量', value: `${corp.quota.used} / ${corp.quota.total}` },
              {
                label: '密钥',
                value:
                  [
                    corp.configured.contactSecret && '客户联系',
                    corp.configured.callbackToken && '回调Token',
                    corp.configured.encodingAesKey && 'EncodingAESKey',
                  ]
                    .filter(Boolean)
                    .join('、') || '未配置',
              },
              {
                label: '回调地址',
                wide: true,
                value: (
                  <>
                    {corp.callbackUrl}{' '}
                    <Button size="small" type="link" onClick={() => void copyText(corp.callbackUrl)}>
                      复制
                    </Button>
                  </>
                ),
              },
              ...(corp.lastError
                ? [
                    {
                      label: '最近错误',
                      wide: true,
                      value: (
                        <span className="kq-danger">
                          {corp.lastError}（{corp.lastErrcode}）
                        </span>
                      ),
                    },
                  ]
                : []),
              {
                label: '应用',
                wide: true,
                value:
                  corp.apps.length === 0
                    ? '无'
                    : corp.apps.map((one) => (
                        <Can key={one.id} permission={rights['wecom.admin']}>
                          <Button type="link" size="small" onClick={() => setApp({ corp, app: one })}>
                            {one.name}（{one.agentId}）{one.state === 'DISABLED' ? ' 已停用' : ''}
                          </Button>
                        </Can>
                      )),
              },
            ]}
          />
        </Section>
      ))}
      {edited && <CorpForm corp={edited.corp} onClose={() => setEdited(null)} />}
      {app && <AppForm {...app} onClose={() => setApp(null)} />}
    </div>
  );
}
