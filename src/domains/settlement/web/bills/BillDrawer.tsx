import { Button, Drawer, Skeleton } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { download } from '#kernel/web/http/download.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { billPayout, querySettlementBillDetail, printSettlementBill, type TaxLine } from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';
import { incomeTypes, taxMethods } from '../../contract/dictionaries.ts';
import { useBillActions } from './useBillActions.ts';

const money = (fen: number) => `${yuan(fen, true)} 元`;

/** How the tax of a payment comes about, as the law writes it. */
function TaxFacts({ tax }: { tax: TaxLine }) {
  return (
    <Facts
      facts={[
        { label: '扣税方法', value: taxMethods.label(tax.method) },
        { label: '税款所属期', value: tax.taxMonth },
        {
          label: tax.method === 'CUMULATIVE' ? '累计收入' : '本月收入',
          value: `${money(tax.cumIncomeFen)}（自${tax.runFrom}，${tax.months}个月）`,
        },
        { label: '费用', value: money(tax.expenseFen) },
        { label: '减除费用', value: money(tax.deductionFen) },
        { label: '应纳税所得额', value: money(tax.taxableFen) },
        { label: '预扣率', value: `${tax.rateBp / 100}%，速算扣除数 ${money(tax.quickFen)}` },
        { label: '应预扣税额', value: money(tax.cumTaxFen) },
        { label: '已预扣税额', value: money(tax.previousTaxFen) },
        { label: '本次预扣', value: money(tax.taxFen) },
      ]}
    />
  );
}

/** One bill: its sums, how it was paid, else the tax as it would be today, every income in it, its story. */
export function BillDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(querySettlementBillDetail, { id }, { quiet: true });
  const act = useBillActions();
  const bill = data?.bill;
  return (
    <Drawer
      open
      title={bill ? `结算单 ${bill.billNo}` : '结算单'}
      size="min(1000px, 94vw)"
      onClose={onClose}
      footer={
        bill && (
          <div className="kq-detail-actions">
            {(['submit', 'approve', 'reject', 'recalc', 'hold', 'unholdCalculated', 'retryPay', 'void'] as const)
              .filter((action) => bill.allowedActions.includes(action))
              .map((action) => (
                <Button key={action} danger={billMachine.transitions[action].danger ?? false} onClick={() => void act(bill, action)}>
                  {billMachine.transitions[action].label}
                </Button>
              ))}
            <Button onClick={() => void download(printSettlementBill, { id })}>打印结算单</Button>
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !bill ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(querySettlementBillDetail.output.shape.bill, bill, [
              'doctorName',
              'hospitalName',
              'payerName',
              'period',
              'consultFen',
              'followUpFen',
              'incentiveFen',
              'adjustFen',
              'clawbackFen',
              'carryInFen',
              'grossFen',
              ...(data.tax ? (['estTaxFen', 'estNetFen'] as const) : []),
              'meanFen',
              'status',
              'submittedByName',
              'auditedByName',
              'holdReason',
            ])}
          />
          {data.payout && (
            <Section title="付款">
              <Facts
                facts={factsIn(billPayout, data.payout, [
                  'status',
                  'bizRef',
                  'taxMonth',
                  'taxFen',
                  'netFen',
                  'payeeName',
                  'bankName',
                  'accountMasked',
                  'bankDay',
                  'bankSerialNo',
                  'failReason',
                ])}
              />
            </Section>
          )}
          {data.tax && (
            <Section title="个税试算">
              <TaxFacts tax={data.tax} />
            </Section>
          )}
          <Section title="收入明细">
            <ul>
              {data.lines.map((line) => (
                <li key={line.incomeId}>
                  {[showInstant(line.occurredAt), line.incomeNo, incomeTypes.label(line.incomeType), line.sourceNo].join('　')}
                  <b className="kq-number">{` ${money(line.grossFen)}`}</b>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={billMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
