import { MOBILE } from '#kernel/contract/plainText.ts';
import { Button, Form, Tag } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { enabledStates } from '../../contract/dictionaries.ts';
import { addChain, modifyChain, queryChainList, exportChainList } from '../../contract/licenceCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { queryStoreChangeList, revealContact } from '../../contract/storeCalls.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { AccountFields, accountInput, accountText, type AccountValues } from './AccountFields.tsx';

type Chain = OutputOf<typeof queryChainList>;
const chains = resource(queryChainList, {
  routeKey: 'drugstoreManagement.chains',
  empty: '没有连锁总部，点击“新增连锁”创建',
  filters: [{ name: 'name', placeholder: '名称、品牌、编号' }, 'state'],
  columns: [
    { key: 'chainNo', width: 170 },
    { key: 'name', width: 220, required: true },
    { key: 'brand', width: 120 },
    'uscc',
    { key: 'contactName', width: 90 },
    {
      key: 'contactMobile',
      masked: {
        permission: may['sensitive.reveal'],
        reveal: async (row) => (await send(revealContact, { ownerType: 'CHAIN', ownerId: row.id, field: 'MOBILE' })).value,
      },
    },
    {
      key: 'account',
      width: 260,
      render: (row) => (
        <span title={accountText(row.account) ?? undefined}>
          {accountText(row.account) ?? '未设置'}
          {row.changePending && (
            <Tag color="warning" variant="filled">
              变更中
            </Tag>
          )}
        </span>
      ),
    },
    { key: 'storeCount', width: 80 },
    { key: 'openCount', width: 90 },
    'state',
  ],
});

interface Values {
  name: string;
  brand: string;
  uscc: string;
  contactName: string;
  newMobile?: string;
  account?: AccountValues;
  state: 'ENABLED' | 'DISABLED';
}
const bodyOf = ({ account, newMobile, ...values }: Values) => ({
  ...values,
  brand: values.brand ?? '',
  contactName: values.contactName ?? '',
  ...(newMobile && { contactMobile: newMobile }),
  ...accountInput(account),
});

const labels = { name: '连锁名称', brand: '品牌', uscc: '统一社会信用代码', contactName: '联系人', state: '状态' };
const display = displayBy({ state: enabledStates });

function ChainForm({ chain, onClose }: { chain: Chain | null; onClose(): void }) {
  const shared = { open: true, onClose, refreshes: [queryChainList, queryStoreChangeList] } as const;
  const done = ({ data, message }: { data: { changeNo: string | null }; message: string }) =>
    toast(data.changeNo ? `${message}收款账户已提交审核（${data.changeNo}）` : message);
  const fields = (
    <>
      <div className="in-two">
        <Field of={addChain} name="name" />
        <Field of={addChain} name="brand" />
        <Field of={addChain} name="uscc" />
        <Field of={addChain} name="state" />
        <Field of={addChain} name="contactName" />
        <Form.Item
          label="联系手机"
          name="newMobile"
          extra={chain?.contactMobile ? `当前：${chain.contactMobile}，不修改请留空` : undefined}
          rules={[{ pattern: MOBILE, message: '手机号格式不正确' }]}
        >
          <TextInput most={11} />
        </Form.Item>
      </div>
      <div className="in-section">收款账户（审核后生效）</div>
      <AccountFields kept={accountText(chain?.account ?? null) ?? '未设置'} />
    </>
  );
  if (!chain)
    return (
      <FormDrawer<typeof addChain, Values>
        {...shared}
        title="新增连锁"
        call={addChain}
        initial={{ state: 'ENABLED', brand: '', contactName: '' }}
        toInput={bodyOf}
        onDone={done}
      >
        {fields}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyChain, Values>
      {...shared}
      title={`编辑连锁：${chain.name}`}
      call={modifyChain}
      recordKey={chain.id}
      labels={labels}
      display={display}
      valuesOf={(current) => current}
      initial={{ name: chain.name, brand: chain.brand, uscc: chain.uscc, contactName: chain.contactName, state: chain.state }}
      toInput={(values) => ({ id: chain.id, version: chain.version, ...bodyOf(values) })}
      onDone={done}
    >
      {fields}
    </FormDrawer>
  );
}

/** Tab 连锁总部. */
export function Chains() {
  const layers = useLayers();
  const edit = (chain: Chain | null) => layers.open((close) => <ChainForm chain={chain} onClose={close} />);
  return (
    <>
      <ResourceList
        of={chains}
        toolbar={(view) => (
          <>
            <Can permission={may['store.edit']}>
              <Button type="primary" onClick={() => edit(null)}>
                新增连锁
              </Button>
            </Can>
            <ExportButton call={exportChainList} view={view} permission={may['store.export']} />
          </>
        )}
        actions={[{ label: '编辑', permission: may['store.edit'], act: edit }]}
      />
      {layers.shown}
    </>
  );
}
