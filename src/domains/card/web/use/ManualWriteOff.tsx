import { Alert, Button, Form, Modal, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { addHold, captureHold, checkCard, SECOND_PERSON_FEN } from '../../contract/calls/use.ts';
import { cardMachine } from '../../contract/states.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { CheckResult } from './CheckResult.tsx';

/** 人工核销: scan the card, name the order, look at what it would take, Enter confirms. */
export function ManualWriteOff({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const [cardNo, setCardNo] = useState('');
  const [orderNo, setOrderNo] = useState('');
  const [asked, setAsked] = useState<{ cardNo: string; orderNo: string } | null>(null);
  const [amount, setAmount] = useState<number | null>(null);
  /** What can be used is proposed once; what somebody typed, or cleared, is his. */
  const [proposed, setProposed] = useState(false);
  const [missing, setMissing] = useState<'cardNo' | 'orderNo' | null>(null);
  const orderField = useRef<InputRef>(null);
  const input = asked ? { ...asked, ...(amount !== null && amount > 0 && { amount }) } : { cardNo: '0' };
  const { data, error, fetching, refetch } = useData(checkCard, input, { enabled: asked !== null, quiet: true });
  const hold = useCommand(addHold, {});
  const capture = useCommand(captureHold, {});
  const busy = hold.flying || capture.flying;
  useEffect(() => {
    if (proposed || data?.kind !== 'STORED_VALUE' || data.usable <= 0) return;
    setProposed(true);
    setAmount(data.usable);
  }, [data, proposed]);

  const look = () => {
    if (cardNo.trim() === '') return setMissing('cardNo');
    if (orderNo.trim() === '') {
      setMissing('orderNo');
      return orderField.current?.focus();
    }
    setMissing(null);
    setAmount(null);
    setProposed(false);
    setAsked({ cardNo: cardNo.trim(), orderNo: orderNo.trim() });
  };
  const most = data
    ? Math.min(
        data.available,
        data.lines.reduce((sum, line) => sum + line.amount, 0),
      )
    : 0;
  const isMoney = data?.kind === 'STORED_VALUE';
  const tooMuch = isMoney && amount !== null && amount > most;
  const second = isMoney && (amount ?? 0) >= SECOND_PERSON_FEN;
  const ready = data?.ok && !tooMuch && (!isMoney || (amount ?? 0) > 0) && data.order !== null;
  const confirm = async () => {
    if (!data?.order || !ready || busy) return;
    const held = await hold.run({
      cardId: data.cardId,
      orderNo: data.order.orderNo,
      ...(isMoney && { amount: amount ?? 0 }),
    });
    if (!held) return;
    if (held.data.secondPerson) {
      toast('已预占，金额超过5000元，请由另一人在列表中核销');
      onDone();
      return onClose();
    }
    const done = await capture.run({ holdId: held.data.id, version: held.data.version });
    onDone();
    if (done) {
      toast('核销成功!');
      onClose();
    }
  };
  const enter = (event: { key: string; preventDefault(): void }) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const fresh = asked?.cardNo === cardNo.trim() && asked.orderNo === orderNo.trim();
    if (fresh && ready && !fetching) void confirm();
    else look();
  };
  return (
    <Modal
      open
      title="人工核销"
      width={760}
      className="kq-dialog"
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <div className="kq-form-foot">
          <span className="kq-muted">扫卡后按回车查询，再按回车确认</span>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!ready || fetching} loading={busy} onClick={() => void confirm()}>
            {second ? '预占并提交复核' : '确认核销'}
          </Button>
        </div>
      }
    >
      <div onKeyDown={enter} role="presentation">
        <Form layout="vertical" component="div">
          <div className="card-two">
            <Form.Item
              label="卡号（扫卡或输入）"
              htmlFor="manual-card"
              required
              {...(missing === 'cardNo' && { validateStatus: 'error' as const, help: '请输入卡号' })}
            >
              <TextInput id="manual-card" most={24} value={cardNo} onChange={({ target }) => setCardNo(target.value)} />
            </Form.Item>
            <Form.Item
              label="订单号"
              htmlFor="manual-order"
              required
              {...(missing === 'orderNo' && { validateStatus: 'error' as const, help: '请输入订单号' })}
            >
              <TextInput
                id="manual-order"
                ref={orderField}
                most={40}
                value={orderNo}
                onChange={({ target }) => setOrderNo(target.value)}
                suffix={
                  <Button type="link" size="small" onClick={look}>
                    查询
                  </Button>
                }
              />
            </Form.Item>
          </div>
          {error && <TableFailure error={error} onRetry={() => void refetch()} />}
          {data && !error && (
            <>
              <p>
                {data.cardTypeName}　{data.cardNo}　{data.holderName ?? ''}　<Dict of={cardMachine.dictionary} code={data.state} />
                {'　'}可用 <Money fen={data.available} unit />
                {data.order && (
                  <>
                    {'　'}订单应付 <Money fen={data.order.payable} unit />
                  </>
                )}
              </p>
              {isMoney && (
                <Form.Item
                  label="核销金额"
                  htmlFor="manual-amount"
                  required
                  {...(tooMuch && { validateStatus: 'error' as const, help: `核销金额不能大于${yuan(most, true)}元` })}
                >
                  <MoneyInput id="manual-amount" value={amount} onChange={setAmount} />
                </Form.Item>
              )}
              {second && <Alert type="warning" showIcon title="金额超过5000元，需另一人复核" style={{ marginBottom: 12 }} />}
              {data.lost > 0 && (
                <Alert
                  type="warning"
                  showIcon
                  title={`本单用不完的 ${yuan(data.lost, true)} 元券值不予保留`}
                  style={{ marginBottom: 12 }}
                />
              )}
              <CheckResult check={data} />
            </>
          )}
        </Form>
      </div>
    </Modal>
  );
}
