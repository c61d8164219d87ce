import { Drawer, Select } from 'antd';
import { useMemo } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { type ListView, resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import {
  exportLedgerAccountList,
  freezeLedgerAccount,
  type LedgerAccountRow,
  queryLedgerAccountDetail,
  queryLedgerAccountList,
  queryLedgerAccountTotal,
  revealLedgerOwnerName,
  unfreezeLedgerAccount,
} from '../../contract/calls/accounts.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { Entries } from '../transfers/Entries.tsx';
import { PanelContext, useBook, usePanel } from '../panel.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';

/** 科目 of the panel's book. */
function AccountTypePicker({ value, onChange, ...rest }: PickerProps<string>) {
  const { data, fetching } = useBook();
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={fetching}
      value={value ?? null}
      options={(data?.accountTypes ?? []).map(({ code, label }) => ({ value: code, label }))}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

const refreshes = [queryLedgerAccountList, queryLedgerAccountTotal, queryLedgerAccountDetail];

const reveal = async (row: LedgerAccountRow, reason: string) =>
  (await send(revealLedgerOwnerName, { accountNo: row.accountNo, reason })).ownerName;

const accounts = resource(queryLedgerAccountList, {
  routeKey: 'ledger.accounts',
  empty: '没有符合条件的账户；账户由业务首次记账时开立',
  filters: [{ kind: 'picker', name: 'accountType', picker: AccountTypePicker }, 'ownerName', 'accountNo', 'status', 'nonZero'],
  columns: [
    { key: 'accountNo', required: true },
    'accountTypeLabel',
    {
      key: 'ownerName',
      width: 170,
      render: (row) =>
        row.ownerMasked ? (
          <Masked value={row.ownerName} permission={may['owner.reveal']} reveal={(reason) => reveal(row, reason)} withReason />
        ) : (
          <span title={row.ownerName}>{row.ownerName}</span>
        ),
    },
    { key: 'sub', hidden: true },
    { key: 'normalSide', plain: true, hidden: true },
    'postedFen',
    'heldFen',
    'availableFen',
    { key: 'spendableFen', hidden: true },
    'lastEntryAt',
    'status',
  ],
});

/** What the filtered accounts hold together, by the side on which they grow. */
function Sums({ view }: { view: Pick<ListView<typeof queryLedgerAccountList>, 'filters'> }) {
  const { data } = useData(queryLedgerAccountTotal, view.filters, { quiet: true });
  return (
    <div className="kq-ledger-sums">
      <span>
        借方余额合计 <Money fen={data?.debitFen} />
      </span>
      <span>
        贷方余额合计 <Money fen={data?.creditFen} />
      </span>
      <span>
        预占合计 <Money fen={data?.heldFen} />
      </span>
    </div>
  );
}

function EntriesOf({ account, onClose }: { account: LedgerAccountRow; onClose(): void }) {
  const scope = useMemo(() => ({ book: account.book, accountNos: [account.accountNo] }), [account]);
  return (
    <Drawer
      open
      size={1180}
      title={`流水：${account.accountNo} ${account.accountTypeLabel} ${account.ownerName}`}
      onClose={onClose}
      destroyOnHidden
    >
      <PanelContext value={scope}>
        <PartOfPage>
          <Entries account={account} />
        </PartOfPage>
      </PanelContext>
    </Drawer>
  );
}

/** Tab 账户: the accounts of the panel with their balances. */
export function Accounts() {
  const scope = usePanel();
  const layers = useLayers();
  const freeze = useCommand(freezeLedgerAccount, { success: '操作成功!', refreshes });
  const unfreeze = useCommand(unfreezeLedgerAccount, { success: '操作成功!', refreshes });
  const facts = (row: LedgerAccountRow) =>
    factsIn(queryLedgerAccountList.output, row, ['accountNo', 'accountTypeLabel', 'ownerName', 'postedFen', 'heldFen', 'availableFen']);
  const actions: readonly RowAction<LedgerAccountRow>[] = [
    { label: '流水', act: (account) => layers.open((close) => <EntriesOf account={account} onClose={close} />) },
    {
      label: '冻结',
      danger: true,
      when: (row) => row.allowedActions.includes('freeze'),
      act: async (row) => {
        const { accountNo, version } = row;
        const opinion = await confirmWithOpinion({
          title: '冻结账户',
          content: '冻结后不能支出和新增预占，收入、释放和已有预占的扣款不受影响。',
          facts: facts(row),
          label: '冻结原因',
          danger: true,
        });
        if (opinion !== null) await freeze.run({ accountNo, version, opinion });
      },
    },
    {
      label: '解冻',
      when: (row) => row.allowedActions.includes('unfreeze'),
      act: async (row) => {
        const { accountNo, version } = row;
        const opinion = await confirmWithOpinion({
          title: '解冻账户',
          content: '解冻后账户恢复支出。',
          facts: facts(row),
          label: '解冻原因',
        });
        if (opinion !== null) await unfreeze.run({ accountNo, version, opinion });
      },
    },
    { label: '复制编号', act: ({ accountNo }) => copyText(accountNo, '已复制账户编号') },
  ];
  return (
    <>
      <ResourceList
        of={accounts}
        fixed={scope}
        actions={actions}
        toolbar={(view) => (
          <>
            <ExportButton call={exportLedgerAccountList} view={view} permission={may['account.view']} />
            <Sums view={view} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
