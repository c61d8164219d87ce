import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { DoctorPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportDoctorAccountList, queryDoctorAccountList, type AccountRow } from '../../contract/calls/accounts.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { useAccountActions } from './useAccountActions.ts';

const AccountDrawer = lazy(async () => ({ default: (await import('./AccountDrawer.tsx')).AccountDrawer }));
const AccountForm = lazy(async () => ({ default: (await import('./AccountForm.tsx')).AccountForm }));

const accounts = resource(queryDoctorAccountList, {
  routeKey: 'accountInquiry',
  empty: '还没有医生账户，医生有第一笔收入后自动建立',
  filters: [
    { kind: 'picker', name: 'doctorId', picker: DoctorPicker },
    'mobile',
    'verifyStatus',
    'settleState',
    'isBookFrozen',
    'balanceFrom',
    'balanceTo',
  ],
  columns: [
    { key: 'doctorName', required: true },
    'doctorNo',
    'hospitalName',
    'unsettledFen',
    'pendingFen',
    'payableFen',
    'heldFen',
    'clawbackFen',
    'bankName',
    'bankAccountMasked',
    { key: 'mobileMasked', hidden: true },
    { key: 'frozenBooks', hidden: true },
    { key: 'updatedAt', hidden: true },
    'settleState',
    'verifyStatus',
  ],
});

/** Tab 医生账户: what each doctor is owed, to which account, and whether he may be paid. */
export function Accounts() {
  const layers = useLayers();
  const { verify, freeze } = useAccountActions();
  const show = (row: AccountRow) => layers.open((close) => <AccountDrawer doctorId={row.doctorId} onClose={close} />);
  const actions: readonly RowAction<AccountRow>[] = [
    { label: '查看', act: show },
    {
      label: '编辑收款账户',
      permission: may['account.edit'],
      act: (row) => layers.open((close) => <AccountForm doctorId={row.doctorId} onClose={close} />),
    },
    {
      label: '验证通过',
      permission: may['account.verify'],
      when: ({ allowedActions }) => allowedActions.includes('verify'),
      act: (row) => verify(row, 'verify'),
    },
    {
      label: '验证不通过',
      permission: may['account.verify'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('fail'),
      act: (row) => verify(row, 'fail'),
    },
    {
      label: '冻结结算',
      permission: may['account.freeze'],
      danger: true,
      when: ({ settleState }) => settleState === 'NORMAL',
      act: (row) => freeze(row, 'freeze'),
    },
    {
      label: '解除冻结',
      permission: may['account.freeze'],
      when: ({ settleState }) => settleState === 'FROZEN',
      act: (row) => freeze(row, 'unfreeze'),
    },
  ];
  return (
    <>
      <ResourceList
        of={accounts}
        actions={actions}
        onRowClick={show}
        toolbar={(view) => <ExportButton call={exportDoctorAccountList} view={view} permission={may['account.export']} />}
      />
      {layers.shown}
    </>
  );
}
