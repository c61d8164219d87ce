import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { Select, Tabs } from 'antd';
import { useRef, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useList } from '#kernel/web/http/queries.ts';
import { useChosenNames } from '#kernel/web/kit/chosenNames.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { send } from '#kernel/web/http/client.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import type { BatchLayer } from '#kernel/web/list/BatchBar.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addContactTransfer,
  exportContactList,
  exportContactTransferList,
  queryContactList,
  queryLiveCodeList,
  queryContactTransferList,
  revealContactName,
  type ContactRow,
} from '../../contract/calls/liveCodes.ts';
import { transferStates } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { refFilter } from '../shared/refFilter.tsx';
import { RefSelect } from '../shared/RefSelect.tsx';

/** The code that a contact came by. */
function LiveCodeSelect({ value, onChange, placeholder }: PickerProps<string>) {
  const codes = useList(queryLiveCodeList, { pageNo: 1, pageSize: 999 }, { quiet: true, fresh: 30_000 });
  const options = codes.rows?.map((code) => ({ value: code.id, label: code.name })) ?? [];
  useChosenNames(value ? [value] : [], options);
  return (
    <Select<string>
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      placeholder={placeholder}
      loading={codes.fetching}
      notFoundContent={<NoChoices of={codes} none="没有符合的活码" />}
      options={options}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

const contactList = resource(queryContactList, {
  routeKey: 'weChatWorkManagement.contacts',
  empty: '没有符合条件的客户',
  filters: [
    refFilter('memberId', 'MEMBER'),
    { kind: 'picker', name: 'liveCodeId', picker: LiveCodeSelect },
    { kind: 'instants', names: ['addedFrom', 'addedTo'], label: '添加时间' },
    'status',
    'bound',
  ],
  columns: [
    {
      key: 'nickName',
      required: true,
      masked: { permission: rights['sensitive.reveal'], reveal: async (row) => (await send(revealContactName, { id: row.id })).nickName },
    },
    { key: 'memberName', width: 130 },
    { key: 'corpName', width: 130 },
    { key: 'source', title: '来源活码', width: 220, value: (row) => [row.liveCodeName, row.channelName].filter(Boolean).join(' / ') },
    'addedAt',
    { key: 'tags', width: 160, value: (row) => row.tags.join('、') },
    {
      key: 'patientId',
      width: 110,
      render: (row) => (row.patientId ? <PatientLink patientId={row.patientId}>查看档案</PatientLink> : NOTHING),
    },
    'welcomeState',
    { key: 'status', width: 110 },
    { key: 'touchStopped', width: 90 },
  ],
});
const transferList = resource(queryContactTransferList, {
  routeKey: 'weChatWorkManagement.transfers',
  empty: '还没有转接记录',
  columns: [
    { key: 'transferNo', width: 170 },
    { key: 'fromName', width: 130 },
    { key: 'toName', width: 130 },
    { key: 'reason', plain: true, width: 80 },
    { key: 'counts', width: 260, value: (row) => row.counts.map(({ state, n }) => `${transferStates.label(state)}${n}`).join('，') },
    { key: 'createdName', width: 120 },
    'createdAt',
  ],
});

/** Hands contacts over to another member; who was taken over and who not is told name by name. */
function TransferDialog({ contacts, done, close }: BatchLayer & { contacts: readonly ContactRow[] }) {
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const answered = useRef(false);
  if (outcomes) return <BatchResult title="转接客户" outcomes={outcomes} total={outcomes.length} running={false} onClose={close} />;
  return (
    <FormDialog<typeof addContactTransfer, { toMemberId: string; reason: 'LEAVE' | 'CHANGE' }>
      open
      title={`转接${contacts.length}名客户`}
      call={addContactTransfer}
      refreshes={[queryContactTransferList]}
      initial={{ reason: 'CHANGE' }}
      onClose={() => {
        if (!answered.current) close();
      }}
      // The dialog closes itself after a success; its result takes its place instead.
      onDone={({ data }) => {
        answered.current = true;
        setOutcomes(
          data.results.map(({ nickName, state }) => ({
            name: nickName,
            ok: state === 'WAITING' || state === 'DONE',
            message: transferStates.label(state),
          })),
        );
        done();
      }}
      toInput={(values) => ({ contactIds: contacts.map(({ id }) => id), ...values })}
    >
      <Field of={addContactTransfer} name="toMemberId">
        <RefSelect type="MEMBER" />
      </Field>
      <Field of={addContactTransfer} name="reason" />
    </FormDialog>
  );
}

function ContactList() {
  return (
    <ResourceList
      of={contactList}
      batch={[
        {
          label: '转接客户',
          permission: rights['contact.transfer'],
          nameOf: (row) => row.nickName,
          dialog: (rows, layer) => <TransferDialog contacts={rows.filter(({ status }) => status === 'ACTIVE')} {...layer} />,
        },
      ]}
      toolbar={(view) => <ExportButton call={exportContactList} view={view} permission={rights['contact.export']} />}
    />
  );
}

/** Tab 客户, with the hand-overs beside it. */
export function Contacts() {
  const [part, setPart] = useState('contacts');
  return (
    <div className="kq-parts">
      <PartLine
        tabs={
          <Tabs
            size="small"
            type="card"
            activeKey={part}
            onChange={setPart}
            items={[
              { key: 'contacts', label: '客户列表' },
              { key: 'transfers', label: '转接记录' },
            ]}
          />
        }
      >
        <div className="kq-part">
          {part === 'contacts' ? (
            <ContactList />
          ) : (
            <ResourceList
              of={transferList}
              toolbar={(view) => <ExportButton call={exportContactTransferList} view={view} permission={rights['contact.export']} />}
            />
          )}
        </div>
      </PartLine>
    </div>
  );
}
