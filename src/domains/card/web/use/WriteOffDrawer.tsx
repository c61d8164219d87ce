import { Drawer, Skeleton } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { queryWriteOffDetail } from '../../contract/calls/writeOffs.ts';
import { cardKinds, lotKinds } from '../../contract/dictionaries.ts';
import { operatorTypes, reversalReasons, settleStates } from '../../contract/useDictionaries.ts';
import { reversalMachine, writeOffMachine } from '../../contract/useStates.ts';
import './use.css';

/** One write-off: which lots paid it, and what of it was reversed. */
export function WriteOffDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryWriteOffDetail, { writeOffId: id }, { quiet: true });
  return (
    <Drawer open title={data ? `核销 ${data.writeOffNo}` : '核销'} size={760} onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryWriteOffDetail.output, data, [
              { key: 'state', value: <Dict of={writeOffMachine.dictionary} code={data.state} /> },
              'cardNo',
              { key: 'cardTypeName', value: `${data.cardTypeName}（${cardKinds.label(data.kind)}）` },
              'holderName',
              'orderNo',
              'merchantName',
              'goods',
              'amount',
              'fee',
              { label: '应付净额', value: <Money fen={data.net} unit /> },
              { key: 'times', value: data.times > 0 ? `${data.benefitName ?? ''} ${data.times}次` : '—' },
              'reversed',
              { key: 'operatorType', value: `${operatorTypes.label(data.operatorType)} ${data.operator}` },
              { label: '预占单号', value: data.holdNo },
              { key: 'receivableState', value: <Dict of={settleStates} code={data.receivableState} /> },
              { key: 'payableState', value: <Dict of={settleStates} code={data.payableState} /> },
              'doneAt',
            ])}
          />
          {data.lots.length > 0 && (
            <Section title="扣减的资金批">
              <table className="card-table">
                <thead>
                  <tr>
                    <th>顺序</th>
                    <th>类型</th>
                    <th>到期</th>
                    <th className="card-right">扣减（元）</th>
                  </tr>
                </thead>
                <tbody>
                  {data.lots.map((lot, at) => (
                    <tr key={lot.lotId}>
                      <td>{at + 1}</td>
                      <td>{lotKinds.label(lot.kind)}</td>
                      <td>{lot.expireAt ? showInstant(lot.expireAt).slice(0, 10) : '长期'}</td>
                      <td className="card-right">{yuan(lot.amount, true)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Section>
          )}
          <Section title="冲正">
            {data.reversals.length === 0 ? (
              <p className="kq-muted">没有冲正</p>
            ) : (
              <table className="card-table">
                <thead>
                  <tr>
                    <th>冲正单号</th>
                    <th>原因</th>
                    <th className="card-right">金额（元）</th>
                    <th className="card-right">退回手续费（元）</th>
                    <th>状态</th>
                    <th>申请人</th>
                  </tr>
                </thead>
                <tbody>
                  {data.reversals.map((one) => (
                    <tr key={one.id}>
                      <td>{one.reversalNo}</td>
                      <td>{reversalReasons.label(one.reasonCode)}</td>
                      <td className="card-right">{yuan(one.amount, true)}</td>
                      <td className="card-right">{yuan(one.fee, true)}</td>
                      <td>
                        <Dict of={reversalMachine.dictionary} code={one.status} />
                      </td>
                      <td>{one.requestedBy}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Section>
        </>
      )}
    </Drawer>
  );
}
