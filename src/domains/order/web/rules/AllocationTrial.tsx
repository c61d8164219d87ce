import { Alert, Button, Drawer, Form, Tag } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { send } from '#kernel/web/http/client.ts';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { dryRunAllocation } from '../../contract/calls/allocation.ts';
import { strategies, supplierFaults } from '../../contract/rules/allocation.ts';
import '../orders/orders.css';

type Trial = AnswerOf<typeof dryRunAllocation>;

/** 试分配: what the rules in force would choose for an order now; nothing is written. */
export function AllocationTrial({ onClose }: PageWindowProps) {
  const [answer, setAnswer] = useState<Trial | null>(null);
  const [asking, setAsking] = useState(false);
  const ask = async ({ orderNo }: { orderNo: string }) => {
    setAsking(true);
    try {
      setAnswer(await send(dryRunAllocation, { orderNo: orderNo.trim() }));
    } catch {
      // The refusal was told as a toast.
      setAnswer(null);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Drawer open title="试分配" size={860} destroyOnHidden onClose={onClose}>
      <Form<{ orderNo: string }> layout="vertical" onValuesChange={() => setAnswer(null)} onFinish={(values) => void ask(values)}>
        <Field of={dryRunAllocation} name="orderNo" />
        <Button type="primary" htmlType="submit" loading={asking}>
          试分配
        </Button>
      </Form>
      <div aria-live="polite" className="kq-gap-top">
        {answer && <TrialAnswer answer={answer} />}
      </div>
    </Drawer>
  );
}

function TrialAnswer({ answer }: { answer: Trial }) {
  if (answer.needs.length === 0) return <Alert showIcon type="info" title="订单没有待分配的商品" />;
  const partText = answer.parts?.map(
    ({ supplierName, lines }) => `${supplierName}（${lines.map(({ goodsCode, quantity }) => `${goodsCode}×${quantity}`).join('、')}）`,
  );
  return (
    <>
      <Alert
        showIcon
        type={partText ? 'success' : 'warning'}
        title={`${answer.ruleText}，策略：${strategies.label(answer.strategy)}`}
        description={partText ? `将分配给${partText.join('；')}` : '没有可用供应商，原因见下表'}
      />
      <table className="ord-table kq-gap-top">
        <thead>
          <tr>
            <th>供应商</th>
            <th>结论</th>
            <th className="ord-right">得分</th>
          </tr>
        </thead>
        <tbody>
          {answer.candidates.map(({ supplierId, supplierName, fault, score, isChosen }) => (
            <tr key={supplierId}>
              <td>{supplierName}</td>
              <td>{isChosen ? <Tag color="success">选中</Tag> : fault === null ? '可以供应，排在后面' : supplierFaults.label(fault)}</td>
              <td className="ord-right kq-number">
                {score === null || score >= Number.MAX_SAFE_INTEGER ? '—' : Math.round(score * 1000) / 1000}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
