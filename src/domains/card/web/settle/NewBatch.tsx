import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Drawer, Form, Select } from 'antd';
import { useState } from 'react';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { addSettlementBatch, previewSettlement, querySettlementBatchList } from '../../contract/calls/settlement.ts';
import { bizLines, cardKinds, type BizLine, type CardKind } from '../../contract/dictionaries.ts';
import { settlementDirections, type SettlementDirection } from '../../contract/useDictionaries.ts';
import '../use/use.css';

interface Scope {
  direction: SettlementDirection;
  kind: CardKind;
  bizLine: BizLine;
  periodFrom: string;
  periodTo: string;
  cutoffAt: string;
}

/** The month before, as most settlements are made for. */
function lastMonth(): Pick<Scope, 'periodFrom' | 'periodTo' | 'cutoffAt'> {
  const first = `${todayHere().slice(0, 7)}-01`;
  const last = plusDays(first, -1);
  return { periodFrom: `${last.slice(0, 7)}-01`, periodTo: last, cutoffAt: startOfDay(first) };
}

function Preview({ scope }: { scope: Scope }) {
  const { data, error, refetch } = useData(previewSettlement, { ...scope, counterpartyIds: [] }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting for={{ error, refetch }} />;
  return (
    <>
      <p>
        将生成 {grouped(data.billCount)} 张结算单，{grouped(data.lineCount)} 条明细；核销 {yuan(data.gross, true)} 元，冲正{' '}
        {yuan(data.reversal, true)} 元，手续费 {yuan(data.fee, true)} 元，净额 <b>{yuan(data.net, true)}</b> 元
      </p>
      <table className="card-table">
        <thead>
          <tr>
            <th>结算对象</th>
            <th>产品</th>
            <th className="card-right">笔数</th>
            <th className="card-right">核销额</th>
            <th className="card-right">冲正额</th>
            <th className="card-right">手续费</th>
            <th className="card-right">净额</th>
          </tr>
        </thead>
        <tbody>
          {data.bills.map((bill) => (
            <tr key={`${bill.counterpartyType}:${bill.counterpartyId}:${bill.productCode ?? ''}`}>
              <td>{bill.counterpartyName}</td>
              <td>{bill.productCode ?? '—'}</td>
              <td className="card-right">{bill.lineCount}</td>
              <td className="card-right">{yuan(bill.gross, true)}</td>
              <td className="card-right">{yuan(bill.reversal, true)}</td>
              <td className="card-right">{yuan(bill.fee, true)}</td>
              <td className="card-right">{yuan(bill.net, true)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.bills.length === 0 && <p className="kq-muted">没有可结算的核销</p>}
      {data.excluded.length > 0 && (
        <>
          <h4>未纳入本批次</h4>
          <ul>
            {data.excluded.map((one) => (
              <li key={one.reason}>
                {one.reason}：{one.count} 笔{one.amount > 0 && `，${yuan(one.amount, true)} 元`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** 新建批次: for whom, for when, what it would be, then it is made. */
export function NewBatch({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const [step, setStep] = useState(0);
  const [scope, setScope] = useState<Scope>({ direction: 'PAYABLE', kind: 'STORED_VALUE', bizLine: 'HMO', ...lastMonth() });
  const make = useCommand(addSettlementBatch, { success: '已开始生成', refreshes: [querySettlementBatchList] });
  const set = <K extends keyof Scope>(key: K, value: Scope[K]) => setScope((now) => ({ ...now, [key]: value }));
  const late = Date.parse(scope.cutoffAt) > Date.now();
  const wrong = scope.periodTo < scope.periodFrom;
  const confirm = async () => {
    const made = await make.run({ ...scope, counterpartyIds: [] });
    if (made) {
      onClose();
      onMade(made.data.id);
    }
  };
  const choices = <V extends string>(of: { options: readonly { value: V; label: string }[] }) =>
    of.options.map(({ value, label }) => ({ value, label }));
  return (
    <Drawer
      open
      title="新建结算批次"
      size={860}
      onClose={onClose}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={onClose}>取消</Button>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
          {step < 2 ? (
            <Button type="primary" disabled={step === 1 && (late || wrong)} onClick={() => setStep(step + 1)}>
              下一步
            </Button>
          ) : (
            <Button type="primary" loading={make.flying} onClick={() => void confirm()}>
              生成批次
            </Button>
          )}
        </div>
      }
    >
      <StepBar steps={['方向与业务线', '期间与截止时间', '预览']} current={step} />
      <Form layout="vertical" component="div" style={{ marginTop: 16 }}>
        {step === 0 && (
          <>
            <Form.Item label="方向" htmlFor="settle-direction">
              <Select
                id="settle-direction"
                value={scope.direction}
                options={choices(settlementDirections)}
                onChange={(value) => set('direction', value)}
              />
            </Form.Item>
            <Form.Item label="卡类型" htmlFor="settle-kind">
              <Select id="settle-kind" value={scope.kind} options={choices(cardKinds)} onChange={(value) => set('kind', value)} />
            </Form.Item>
            <Form.Item label="业务线" htmlFor="settle-line">
              <Select id="settle-line" value={scope.bizLine} options={choices(bizLines)} onChange={(value) => set('bizLine', value)} />
            </Form.Item>
          </>
        )}
        {step === 1 && (
          <>
            <Form.Item label="期间起" htmlFor="settle-from">
              <DayInput id="settle-from" value={scope.periodFrom} onChange={(value) => value && set('periodFrom', value)} />
            </Form.Item>
            <Form.Item
              label="期间止"
              htmlFor="settle-to"
              {...(wrong && { validateStatus: 'error' as const, help: '期间止不能早于期间起' })}
            >
              <DayInput id="settle-to" value={scope.periodTo} onChange={(value) => value && set('periodTo', value)} />
            </Form.Item>
            <Form.Item
              label="截止时间"
              htmlFor="settle-cutoff"
              {...(late && { validateStatus: 'error' as const, help: '截止时间不能晚于当前时间' })}
            >
              <InstantInput id="settle-cutoff" value={scope.cutoffAt} onChange={(value) => value && set('cutoffAt', value)} />
            </Form.Item>
          </>
        )}
        {step === 2 && <Preview scope={scope} />}
      </Form>
    </Drawer>
  );
}
