import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  autoBindMember,
  bindMember,
  exportMemberList,
  queryCorpList,
  queryMemberList,
  unbindMember,
  type MemberRow,
} from '../../contract/calls/wecom.ts';
import { memberStatuses } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { bindStates } from '../../contract/states.ts';
import { RefSelect } from '../shared/RefSelect.tsx';
import { CorpSelect } from './CorpSelect.tsx';

const memberList = resource(queryMemberList, {
  routeKey: 'weChatWorkManagement.members',
  empty: '没有成员，请先同步',
  filters: ['name', { kind: 'picker', name: 'corpId', picker: CorpSelect }, 'bindState', 'status'],
  columns: [
    { key: 'name', width: 150, required: true, value: (row) => `${row.name}（${row.wecomUserId}）` },
    'corpName',
    { key: 'departments', title: '部门', width: 160, value: (row) => row.departmentNames.join('、') },
    { key: 'mobile', width: 120 },
    { key: 'status', width: 100, render: (row) => <Dict of={memberStatuses} code={String(row.status)} /> },
    { key: 'canContact', width: 120 },
    { key: 'staff', title: '绑定员工/医助', width: 160, value: (row) => [row.staffName, row.assistantName].filter(Boolean).join(' / ') },
    'bindState',
    'boundAt',
    { key: 'contactCount', width: 80 },
  ],
});

const refreshes = [queryMemberList, queryCorpList];

/** Tab 成员绑定. */
export function Members() {
  const [bound, setBound] = useState<MemberRow | null>(null);
  const [preview, setPreview] = useState<{ corpRowId: string; rows: AnswerOf<typeof autoBindMember> } | null>(null);
  const corps = useList(queryCorpList, { pageNo: 1, pageSize: 100 }, { quiet: true });
  const unbind = useCommand(unbindMember, { success: '解绑成功!', refreshes });
  const auto = useCommand(autoBindMember, { refreshes, blockMs: 500 });
  const tryOut = async (corpRowId: string) => {
    const answer = await auto.run({ corpRowId, dryRun: true });
    if (!answer) return;
    if (answer.data.length === 0) toast('没有手机号相同的成员和员工', 'info');
    else setPreview({ corpRowId, rows: answer.data });
  };
  const confirm = async () => {
    const answer = preview && (await auto.run({ corpRowId: preview.corpRowId }));
    if (answer) toast(`已绑定${answer.data.length}名成员`);
    setPreview(null);
  };
  return (
    <>
      <ResourceList
        of={memberList}
        actions={[
          {
            label: '绑定',
            permission: rights['wecom.bind'],
            when: (row) => bindStates.canStart('bind', row.bindState) && row.status === 1,
            act: setBound,
          },
          {
            label: '解绑',
            permission: rights['wecom.bind'],
            when: (row) => bindStates.canStart('unbind', row.bindState),
            danger: true,
            act: async (row) => {
              if (
                await ask({
                  title: '解绑',
                  content: `确定要解绑“${row.name}”吗?`,
                  facts: factsIn(queryMemberList.output, row, ['corpName', 'wecomUserId', 'staffName', 'contactCount']),
                  danger: true,
                })
              )
                await unbind.run({ memberId: row.id });
            },
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={rights['wecom.bind']}>
              {corps.rows
                ?.filter(({ state }) => state !== 'DISABLED')
                .map((corp) => (
                  <Button key={corp.id} disabled={auto.busy} onClick={() => void tryOut(corp.id)}>
                    自动绑定（{corp.name}）
                  </Button>
                ))}
            </Can>
            <ExportButton call={exportMemberList} view={view} permission={rights['wecom.view']} />
          </>
        )}
      />
      {bound && (
        <FormDialog<typeof bindMember, { staffUserId: string }>
          open
          title={`绑定：${bound.name}`}
          call={bindMember}
          refreshes={refreshes}
          success="绑定成功!"
          onClose={() => setBound(null)}
          toInput={(values) => ({ memberId: bound.id, staffUserId: values.staffUserId })}
        >
          <Field of={bindMember} name="staffUserId">
            <RefSelect type="USER" placeholder="输入姓名或工号查找" />
          </Field>
        </FormDialog>
      )}
      {preview && (
        <Modal
          open
          title="自动绑定（手机号相同）"
          okText={`绑定${preview.rows.length}名`}
          cancelText="取消"
          onCancel={() => setPreview(null)}
          onOk={() => void confirm()}
          confirmLoading={auto.flying}
        >
          <ul className="kq-outcomes">
            {preview.rows.map((row) => (
              <li key={row.memberId}>
                <span>{row.memberName}</span>
                <span>{row.staffName}</span>
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </>
  );
}
