import { Button, Form, Select } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import type { PolicyDetail } from '../../contract/calls/policies.ts';
import { exportPremiumOrder, type PremiumRow } from '../../contract/calls/premium.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { isPassed, premiumMachine, rejectReasons, type RejectReason } from '../../contract/premiumStates.ts';
import { premiumList, premiumOfEnterprise, premiumOfPolicy, PremiumTotals } from './premiumList.tsx';
import { usePremiumActions } from './usePremiumActions.ts';

const PremiumDrawer = lazy(async () => ({ default: (await import('./PremiumDrawer.tsx')).PremiumDrawer }));
const SettleDialog = lazy(async () => ({ default: (await import('./SettleDialog.tsx')).SettleDialog }));
const OrderForm = lazy(async () => ({ default: (await import('./OrderForms.tsx')).OrderForm }));
const InvoiceForm = lazy(async () => ({ default: (await import('./OrderForms.tsx')).InvoiceForm }));
const NewOrder = lazy(async () => ({ default: (await import('./NewOrder.tsx')).NewOrder }));

const canInvoice = ({ state, productLine }: PremiumRow) => POLICY_LINE_VIEW[productLine].insurerNumbers && isPassed(state);

function Second({ row, onClose }: { row: PremiumRow; onClose(): void }) {
  const premium = usePremiumActions();
  const [reasons, setReasons] = useState<RejectReason[]>([]);
  const pass = async (opinion: string) => {
    if (await premium.decide(row, 'secondApprove', opinion, [])) onClose();
  };
  const reject = async (opinion: string) => {
    if (reasons.length === 0) return toast('请选择驳回原因', 'warning');
    if (await premium.decide(row, 'secondReject', opinion, reasons)) onClose();
  };
  return (
    <CheckDialog
      title={`复核保费订单 ${row.premiumOrderNo}`}
      maker={{ id: row.makerId, name: row.maker }}
      amountFen={row.amountFen}
      ownText="初审人与复核人不能为同一人"
      busy={premium.busy}
      onPass={pass}
      onReject={reject}
      onClose={onClose}
    >
      <p>
        {row.policyNo}　{row.holderName}　{row.periodFrom} 至 {row.periodTo}　{row.personCount}人　初审 {row.checker}
      </p>
      <Form layout="vertical">
        <UnboundField label="驳回原因">
          <Select
            mode="multiple"
            className="kq-wide"
            placeholder="驳回时请选择"
            value={reasons}
            options={rejectReasons.options.map(({ value, label }) => ({ value, label }))}
            onChange={setReasons}
          />
        </UnboundField>
      </Form>
    </CheckDialog>
  );
}

/** Premium orders: of all policies, or of one inside its page. */
export function PremiumOrders({ policy }: { policy?: Pick<PolicyDetail, 'id' | 'productLine'> }) {
  const policyId = policy?.id;
  const layers = useLayers();
  const premium = usePremiumActions();
  const fixed = useMemo(() => (policyId === undefined ? {} : { policyId }), [policyId]);
  const open = ({ id }: PremiumRow) => layers.open((close) => <PremiumDrawer premiumOrderId={id} onClose={close} />);
  const when =
    (action: string) =>
    ({ allowedActions }: PremiumRow) =>
      allowedActions.includes(action);
  const move = (action: 'submit' | 'recall' | 'void' | 'reverse' | 'regenerate', label: string): RowAction<PremiumRow> => ({
    label,
    danger: action === 'void' || action === 'reverse',
    when: when(action === 'regenerate' ? 'submit' : action),
    act: (row) => premium.move(row, action),
  });
  const actions: readonly RowAction<PremiumRow>[] = [
    { label: '详情', act: open },
    move('submit', premiumMachine.transitions.submit.label),
    {
      label: '编辑',
      when: when('submit'),
      act: (row) => layers.open((close) => <OrderForm row={row} onClose={close} />),
    },
    move('regenerate', '重新生成'),
    move('recall', premiumMachine.transitions.recall.label),
    { label: '审核', when: when('approve'), act: ({ id }) => goTo('/insurancePremiumOrderAudit', { premiumOrderId: id }) },
    { label: '复核', when: when('secondApprove'), act: (row) => layers.open((close) => <Second row={row} onClose={close} />) },
    {
      label: '登记收付',
      when: when('allocate'),
      act: (row) => layers.open((close) => <SettleDialog order={row} onClose={close} />),
    },
    {
      label: '登记发票',
      permission: may['premium.receipt'],
      when: canInvoice,
      act: (row) => layers.open((close) => <InvoiceForm row={row} onClose={close} />),
    },
    move('reverse', premiumMachine.transitions.reverse.label),
    move('void', premiumMachine.transitions.void.label),
  ];
  return (
    <>
      <ResourceList
        of={!policy ? premiumList : POLICY_LINE_VIEW[policy.productLine].insurerNumbers ? premiumOfPolicy : premiumOfEnterprise}
        fixed={fixed}
        actions={actions}
        onRowClick={open}
        batch={[
          {
            label: '提交审核',
            permission: may['premium.make'],
            when: when('submit'),
            nameOf: ({ premiumOrderNo }) => premiumOrderNo,
            each: premium.submitOne,
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['premium.audit']}>
              <Button type="primary" onClick={() => goTo('/insurancePremiumOrderAudit')}>
                审核保费订单
              </Button>
            </Can>
            <Can permission={may['premium.make']}>
              <Button onClick={() => layers.open((close) => <NewOrder {...fixed} onClose={close} />)}>生成保费订单</Button>
            </Can>
            <ExportButton call={exportPremiumOrder} view={view} permission={may['premium.view']} />
            <PremiumTotals filters={view.filters} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
