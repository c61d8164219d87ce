import { Alert, Drawer, Form } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { useMemo, useState } from 'react';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { PanelKeys } from '#kernel/web/keyboard/PanelKeys.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  disputeBill,
  disputedLine,
  exportSettlementLineList,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  querySettlementLineList,
  resolveBillLine,
  type SettlementBillRow,
  type SettlementLineRow,
} from '../../contract/calls/settlement.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { resolutions } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';

type Resolution = (typeof resolutions.codes)[number];
const refreshes = [querySettlementLineList, querySettlementBillList, querySettlementBatchList, querySettlementBatchDetail];

const lines = resource(querySettlementLineList, {
  routeKey: 'storedCardBatchManage.lines',
  empty: '没有符合条件的明细',
  filters: ['sourceNo', 'sourceType', 'matchState', 'unresolved'],
  columns: [
    { key: 'sourceType', plain: true },
    { key: 'sourceNo', required: true },
    'orderNo',
    'amount',
    'theirAmount',
    'difference',
    'matchState',
    { key: 'resolution', plain: true },
    'opinion',
    'disputedByName',
    'resolvedByName',
    'fee',
    'net',
    { key: 'doneAt', hidden: true },
  ],
});

const isOpen = (row: SettlementLineRow) =>
  row.resolution === null && (row.matchState === 'AMOUNT_DIFF' || row.matchState === 'OURS_ONLY' || row.matchState === 'THEIRS_ONLY');

function TheirAmount({
  bill,
  line,
  onDone,
  onClose,
}: {
  bill: SettlementBillRow;
  line: SettlementLineRow;
  onDone(version: number): void;
  onClose(): void;
}) {
  const [form] = Form.useForm<{ theirAmount: number }>();
  return (
    <FormDialog<typeof disputeBill, { theirAmount: number }>
      open
      title={`登记差异 ${line.sourceNo}`}
      call={disputeBill}
      form={form}
      initial={{ theirAmount: line.theirAmount ?? line.amount }}
      toInput={({ theirAmount }) => ({ billId: bill.id, version: bill.version, lines: [{ lineId: line.id, theirAmount }], opinion: '' })}
      refreshes={refreshes}
      success="提交成功!"
      onDone={(answer) => onDone(answer.data.version)}
      onClose={onClose}
    >
      <p>
        我方金额 <Money fen={line.amount} unit />
      </p>
      <Field of={disputedLine} name="theirAmount">
        <MoneyInput negative />
      </Field>
    </FormDialog>
  );
}

/** 明细 of a bill: what both sides say of each line, and what is done about it. Keys 1, 2, 3 decide the chosen line. */
export function BillLines({ bill, onChanged, onClose }: { bill: SettlementBillRow; onChanged?(): void; onClose(): void }) {
  const layers = useLayers();
  const [version, setVersion] = useState(bill.version);
  const [chosen, setChosen] = useState<SettlementLineRow | null>(null);
  const decide = useCommand(resolveBillLine, { success: '操作成功!', refreshes });
  const fixed = useMemo(() => ({ billId: bill.id }), [bill.id]);
  const now = { ...bill, version };
  const changed = (to: number) => {
    setVersion(to);
    onChanged?.();
  };
  const resolve = async (line: SettlementLineRow, resolution: Resolution) => {
    const opinion = await confirmWithOpinion({
      title: resolutions.label(resolution),
      content:
        resolution === 'THEIRS'
          ? `${line.sourceNo} 按对方金额调整并记账；确认结算单须由登记人和处理人以外的人办理，调整合计超过限额时须由登记人以外有结算复核权限的人处理。`
          : `${line.sourceNo} ${resolutions.label(resolution)}`,
      facts: factsIn(querySettlementLineList.output, line, ['sourceNo', 'orderNo', 'amount', 'theirAmount', 'difference']),
    });
    if (opinion === null) return;
    const answer = await decide.run({ lineId: line.id, billId: bill.id, version, resolution, opinion });
    if (answer) changed(answer.data.version);
    setChosen(null);
  };
  const onKey = (resolution: Resolution) => () => {
    if (allowed && open && chosen && isOpen(chosen) && !(resolution === 'THEIRS' && chosen.matchState === 'THEIRS_ONLY'))
      void resolve(chosen, resolution);
  };
  const shortcuts = [
    { keys: '1', label: '以我方为准', act: onKey('OURS') },
    { keys: '2', label: '以对方为准', act: onKey('THEIRS') },
    { keys: '3', label: '移至下期', act: onKey('NEXT') },
  ];
  const allowed = useMay()(may['settle.confirm']);
  const open = bill.state === 'PENDING_CONFIRM' || bill.state === 'DISPUTED';
  const actions: readonly RowAction<SettlementLineRow>[] = open
    ? [
        ...resolutions.codes.map((code): RowAction<SettlementLineRow> => ({
          label: resolutions.label(code),
          permission: may['settle.confirm'],
          // What we do not have is not paid by their word.
          when: (row) => isOpen(row) && !(code === 'THEIRS' && row.matchState === 'THEIRS_ONLY'),
          act: (row) => resolve(row, code),
        })),
        {
          label: '登记差异',
          permission: may['settle.confirm'],
          when: ({ sourceType, resolution }) => sourceType !== 'ADJUST' && resolution === null,
          act: (row) => layers.open((close) => <TheirAmount bill={now} line={row} onDone={changed} onClose={close} />),
        },
      ]
    : [];
  return (
    <Drawer
      open
      title={
        <>
          结算明细 {bill.billNo}　{bill.counterpartyName}　<Dict of={billMachine.dictionary} code={bill.state} />
        </>
      }
      size="min(1180px, 94vw)"
      onClose={onClose}
    >
      <PanelKeys shortcuts={shortcuts} />
      {open && bill.decidedBy && (
        <Alert
          type="info"
          showIcon
          title={`本单有以对方为准的差异，由${bill.decidedBy}登记或处理，须由其他人确认`}
          className="kq-form-alert"
        />
      )}
      {open && allowed && (
        <p className="kq-muted">
          {chosen ? `已选 ${chosen.sourceNo}：按 1 以我方为准，2 以对方为准，3 移至下期` : '点选一行后可按 1、2、3 处理差异'}
        </p>
      )}
      <ResourceList
        of={lines}
        fixed={fixed}
        actions={actions}
        onRowClick={setChosen}
        toolbar={(view) => <ExportButton call={exportSettlementLineList} view={view} permission={may['card.export']} />}
      />
      {layers.shown}
    </Drawer>
  );
}
