import { Form, Select, Tabs } from 'antd';
import { useState } from 'react';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import type { BatchLayer } from '../../../../kernel/web/list/BatchBar.tsx';
import { PatientLink } from '../../../../kernel/web/kit/PatientLink.tsx';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { addContactTransfer, exportContactList, queryContactList, queryContactTransferList, revealContactName, type ContactRow } from '../../contract/calls/liveCodes.ts';
import { contactStatuses, transferReasons, transferStates, welcomeStates } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { refFilter } from '../shared/refFilter.tsx';
import { RefSelect } from '../shared/RefSelect.tsx';

const contactList = resource(queryContactList, {
  routeKey: 'weChatWorkManagement.contacts',
  empty: '没有符合条件的客户',
  filters: [
    refFilter('memberId', '成员', 'MEMBER'), { kind: 'instants', names: ['addedFrom', 'addedTo'], label: '添加时间' }, { kind: 'dict', name: 'status', label: '状态', dictionary: contactStatuses, several: true }, { kind: 'flag', name: 'bound', label: '已关联患者' },
  ],
  columns: [
    { key: 'nickName', title: '昵称', kind: 'masked', width: 150, required: true, masked: { permission: rights['sensitive.reveal'], reveal: async (row) => (await send(revealContactName, { id: row.id })).nickName } },
    { key: 'memberName', title: '成员', width: 130 },
    { key: 'corpName', title: '企业', width: 130 },
    { key: 'source', title: '来源活码', width: 220, value: (row) => [row.liveCodeName, row.channelName].filter(Boolean).join(' / ') },
    { key: 'addedAt', title: '添加时间', kind: 'time' },
    { key: 'patientId', title: '关联患者', kind: 'custom', width: 110, render: (row) => (row.patientId ? <PatientLink patientId={row.patientId}>查看档案</PatientLink> : NOTHING) },
    { key: 'welcomeState', title: '欢迎语', kind: 'dict', dictionary: welcomeStates, width: 100 },
    { key: 'status', title: '状态', kind: 'dict', dictionary: contactStatuses, width: 110 },
    { key: 'touchStopped', title: '停止触达', kind: 'flag', width: 90 },
  ],
});
const transferList = resource(queryContactTransferList, {
  routeKey: 'weChatWorkManagement.transfers',
  empty: '还没有转接记录',
  columns: [
    { key: 'transferNo', title: '编号', width: 170 }, { key: 'fromName', title: '原成员', width: 130 }, { key: 'toName', title: '接替成员', width: 130 }, { key: 'reason', title: '原因', kind: 'dict', dictionary: transferReasons, plain: true, width: 80 },
    { key: 'counts', title: '结果', width: 260, value: (row) => row.counts.map(({ state, n }) => `${transferStates.label(state)}${n}`).join('，') }, { key: 'createdName', title: '操作人', width: 120 }, { key: 'createdAt', title: '时间', kind: 'time' },
  ],
});

/** Hands contacts over to another member. */
function TransferDialog({ contacts, done, close }: BatchLayer & { contacts: readonly ContactRow[] }) {
  return (
    <FormDialog<typeof addContactTransfer, { toMemberId: string; reason: 'LEAVE' | 'CHANGE' }>
      open title={`转接${contacts.length}名客户`} call={addContactTransfer} refreshes={[queryContactTransferList]} success="已提交转接" initial={{ reason: 'CHANGE' }} onClose={close} onDone={done}
      toInput={(values) => ({ contactIds: contacts.map(({ id }) => id), ...values })}
    >
      <Form.Item label="接替成员" name="toMemberId" rules={[{ required: true, message: '请选择接替成员' }]}><RefSelect type="MEMBER" /></Form.Item>
      <Form.Item label="原因" name="reason"><Select placeholder="请选择" options={transferReasons.options.map(({ value, label }) => ({ value, label }))} /></Form.Item>
    </FormDialog>
  );
}

function ContactList() {
  return (
      <ResourceList
        of={contactList}
        batch={[{ label: '转接客户', permission: rights['contact.transfer'], nameOf: (row) => row.nickName, dialog: (rows, layer) => <TransferDialog contacts={rows.filter(({ status }) => status === 'ACTIVE')} {...layer} /> }]}
        toolbar={(view) => <ExportButton call={exportContactList} view={view} permission={rights['contact.export']} />}
      />
  );
}

/** Tab 客户, with the hand-overs beside it. */
export function Contacts() {
  const [part, setPart] = useState('contacts');
  return (
    <div className="kq-parts">
      <Tabs size="small" type="card" activeKey={part} onChange={setPart} items={[{ key: 'contacts', label: '客户列表' }, { key: 'transfers', label: '转接记录' }]} />
      <div className="kq-part">{part === 'contacts' ? <ContactList /> : <ResourceList of={transferList} />}</div>
    </div>
  );
}
