import { Button, Input, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
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
import { channelErrors } from '../../contract/errors.ts';
import { corpModes, syncKinds } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { corpStates } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';

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
      <Field of={saveCorp} name="name" />
      <Field of={saveCorp} name="corpId" />
      <Field of={saveCorp} name="mode" />
      <Field of={saveCorp} name="contactSecret">
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.contactSecret)} />
      </Field>
      <Field of={saveCorp} name="callbackToken">
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.callbackToken)} />
      </Field>
      <Field of={saveCorp} name="encodingAesKey" rules={[{ pattern: /^[A-Za-z0-9]{43}$/, message: channelErrors.AES_KEY_LENGTH.text }]}>
        <Input.Password autoComplete="new-password" placeholder={kept(corp?.configured.encodingAesKey)} />
      </Field>
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
      <Field of={saveCorpApp} name="name" />
      <Field of={saveCorpApp} name="agentId">
        <Input disabled={app !== null} />
      </Field>
      <Field of={saveCorpApp} name="homeUrl">
        <Input />
      </Field>
      <Field of={saveCorpApp} name="secret">
        <Input.Password autoComplete="new-password" placeholder={kept(app?.configured)} />
      </Field>
      <Field of={saveCorpApp} name="state">
        <Select
          placeholder="请选择"
          options={[
            { value: 'ENABLED', label: '启用' },
            { value: 'DISABLED', label: '停用' },
          ]}
        />
      </Field>
    </FormDrawer>
  );
}

/** Tab 企业与应用: one card per company. */
export function Corps() {
  const { rows, error, refetch } = useList(queryCorpList, PAGE, { quiet: true });
  const [edited, setEdited] = useState<{ corp: CorpRow | null } | null>(null);
  const [app, setApp] = useState<{ corp: CorpRow; app: CorpRow['apps'][number] | null } | null>(null);
  const test = useCommand(testCorp, { success: '连接正常', refreshes });
  const change = useCommand(changeCorpState, { success: '操作成功!', refreshes });
  const sync = useCommand(syncWeChatWork, { success: '已开始同步，可在同步记录中查看进度', refreshes: [queryCorpList, querySyncRunList] });
  const move = async (corp: CorpRow, action: 'disable' | 'enable') => {
    const opinion = await askTransition(corpStates, action, `“${corp.name}”`, [
      { label: '已绑定成员', value: `${corp.bound} / ${corp.members}` },
      { label: '应用', value: corp.apps.map(({ name }) => name).join('、') || '无' },
    ]);
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
