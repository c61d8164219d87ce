import { Button, Drawer } from 'antd';
import { lazy } from 'react';
import { CheckDialog } from '#kernel/web/audit/CheckDialog.tsx';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { adjustmentStates } from '../../contract/adjustments.ts';
import {
  auditLedgerAdjustment,
  cancelLedgerAdjustment,
  queryLedgerAdjustmentDetail,
  queryLedgerAdjustmentList,
  submitLedgerAdjustment,
  type AdjustmentDetail,
} from '../../contract/calls/adjustments.ts';
import { queryLedgerAccountList, queryLedgerAccountTotal } from '../../contract/calls/accounts.ts';
import { queryLedgerEntryList } from '../../contract/calls/entries.ts';

const AdjustmentForm = lazy(async () => ({ default: (await import('./AdjustmentForm.tsx')).AdjustmentForm }));
const refreshes = [
  queryLedgerAdjustmentList,
  queryLedgerAdjustmentDetail,
  queryLedgerAccountList,
  queryLedgerAccountTotal,
  queryLedgerEntryList,
];
const CHECKS = ['approve', 'forward', 'approveSecond'];

/** Lines with the balance of each account before and after. */
function LegsTable({ legs }: Pick<AdjustmentDetail, 'legs'>) {
  return (
    <table className="kq-ledger-t">
      <thead>
        <tr>
          <th>科目 / 账户</th>
          <th className="kq-ledger-amount">借方</th>
          <th className="kq-ledger-amount">贷方</th>
          <th className="kq-ledger-amount">调账前余额</th>
          <th className="kq-ledger-amount">调账后余额</th>
        </tr>
      </thead>
      <tbody>
        {legs.map((leg, at) => (
          <tr key={at}>
            <td>
              {leg.accountTypeLabel}
              <div className="kq-ledger-muted">
                {leg.accountNo} {leg.ownerName}
              </div>
            </td>
            <td className="kq-ledger-amount">{leg.side === 'D' && <Money fen={leg.amountFen} />}</td>
            <td className="kq-ledger-amount">{leg.side === 'C' && <Money fen={leg.amountFen} />}</td>
            <td className="kq-ledger-amount">
              <Money fen={leg.beforeFen} />
            </td>
            <td className="kq-ledger-amount">
              <Money fen={leg.afterFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 复核, of the first or the second checker. */
function Check({ of, onClose, onDone }: { of: AdjustmentDetail; onClose(): void; onDone(): void }) {
  const { adjustment } = of;
  const { id, version } = adjustment;
  const title = adjustment.status === 'PENDING_SECOND' ? '二级复核' : '复核';
  const audit = useCommand(auditLedgerAdjustment, {
    success: '操作成功!',
    refreshes,
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  const decide = (decision: 'PASS' | 'REJECT') => (opinion: string) =>
    audit.run({ id, version, decision, opinion }, { idempotencyKey: crypto.randomUUID() });
  return (
    <CheckDialog
      title={`${title}调账：${adjustment.adjustNo}`}
      maker={{ id: adjustment.makerId, name: adjustment.makerName }}
      amountFen={adjustment.totalFen}
      passLabel={`${title}通过`}
      ownText="制单人不能复核本人提交的调账，请由他人复核"
      busy={audit.flying}
      onPass={decide('PASS')}
      onReject={decide('REJECT')}
      onClose={onClose}
      width={860}
    >
      <LegsTable legs={of.legs} />
    </CheckDialog>
  );
}

function Actions({ of, onEdit, onDone }: { of: AdjustmentDetail; onEdit(): void; onDone(): void }) {
  const { adjustment } = of;
  const { id, version, allowedActions } = adjustment;
  const layers = useLayers();
  const submit = useCommand(submitLedgerAdjustment, { success: '操作成功!', refreshes });
  const cancel = useCommand(cancelLedgerAdjustment, { success: '操作成功!', refreshes });
  const canCheck = allowedActions.some((action) => CHECKS.includes(action));
  return (
    <span className="kq-row">
      {allowedActions.includes('modify') && <Button onClick={onEdit}>修改</Button>}
      {allowedActions.includes('submit') && (
        <Button type="primary" disabled={submit.busy} onClick={() => void submit.run({ id, version })}>
          提交复核
        </Button>
      )}
      {allowedActions.includes('cancel') && (
        <Button
          danger
          disabled={cancel.busy}
          onClick={() =>
            void ask({
              title: '撤回调账',
              content: '撤回后不能恢复，是否继续?',
              facts: factsIn(queryLedgerAdjustmentDetail.output.shape.adjustment, of.adjustment, [
                'adjustNo',
                'book',
                'reasonCode',
                'totalFen',
              ]),
              danger: true,
            }).then((yes) => (yes ? cancel.run({ id, version }) : null))
          }
        >
          撤回
        </Button>
      )}
      {canCheck && (
        <Button type="primary" onClick={() => layers.open((close) => <Check of={of} onClose={close} onDone={onDone} />)}>
          {adjustment.status === 'PENDING_SECOND' ? '二级复核' : '复核'}
        </Button>
      )}
      {layers.shown}
    </span>
  );
}

interface Props {
  id: string;
  /** Those that wait for this checker, as the list shows them. */
  queue: readonly string[];
  /** Shows another one; undefined closes the drawer. */
  onGo(id: string | undefined): void;
}

/** Drawer of one adjustment: what it moves, what it rests on, who did what. */
export function AdjustmentDrawer({ id, queue, onGo }: Props) {
  const {
    data: of,
    next,
    panel,
  } = useAuditDesk({
    caseId: id,
    queue,
    call: queryLedgerAdjustmentDetail,
    inputOf: (caseId) => ({ id: caseId }),
    none: '没有更多待复核的调账',
    onGo,
  });
  const layers = useLayers();
  const preview = (files: AdjustmentDetail['attachments'], index: number) =>
    layers.open((close) => <FilePreview files={files} index={index} ownerType="ledger.adjustment" ownerId={id} onClose={close} />);
  useKeys([
    { keys: 'Alt+ArrowDown', label: '下一条待复核', act: panel.onNext },
    { keys: 'Alt+ArrowUp', label: '上一条待复核', act: panel.onPrevious },
  ]);
  return (
    <Drawer
      open
      size={980}
      title={of ? `调账：${of.adjustment.adjustNo}` : '调账'}
      onClose={panel.onClose}
      destroyOnHidden
      extra={
        of && (
          <Actions
            key={`${id}:${of.adjustment.version}`}
            of={of}
            onEdit={() => layers.open((close) => <AdjustmentForm of={of} onClose={close} />)}
            onDone={() => next !== undefined && onGo(next)}
          />
        )
      }
    >
      {!of ? (
        <Waiting for={{ error: panel.error, refetch: panel.onRetry }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryLedgerAdjustmentDetail.output.shape.adjustment, of.adjustment, [
              { key: 'status', value: <Dict of={adjustmentStates.dictionary} code={of.adjustment.status} /> },
              'totalFen',
              'reasonCode',
              'makerName',
              'createdAt',
              'transferNo',
              'checkerName',
              'secondCheckerName',
              'submittedAt',
              { key: 'reason', wide: true },
            ])}
          />
          <Section title="分录">
            <LegsTable legs={of.legs} />
          </Section>
          <Section title="附件">
            {of.attachments.length === 0
              ? '没有附件'
              : of.attachments.map(({ fileId, fileName }, at) => (
                  <div key={fileId}>
                    <button type="button" className="kq-link" onClick={() => preview(of.attachments, at)}>
                      {fileName}
                    </button>
                  </div>
                ))}
          </Section>
          <Section title="处理记录">
            <AuditTimeline rows={of.trail} machine={adjustmentStates} />
          </Section>
          {layers.shown}
        </>
      )}
    </Drawer>
  );
}
