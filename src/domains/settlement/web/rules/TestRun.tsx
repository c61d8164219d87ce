import { Button, Form } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import type { InputOf, OutputOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/http/client.ts';
import { testSettlementRule, type addSettlementRule } from '../../contract/calls/rules.ts';

type Values = Partial<Omit<InputOf<typeof addSettlementRule>, 'ruleType'>>;

/** 运行测试: what each case comes to by what is written in the form. */
export function TestRun() {
  const form = Form.useFormInstance<Values>();
  const [results, setResults] = useState<OutputOf<typeof testSettlementRule>>([]);
  const run = async () => {
    await form.validateFields(['baseType', 'ratioBp', 'fixedFen', 'capFen', 'testCases'], { recursive: true });
    const { baseType, ratioBp, fixedFen, capFen, testCases } = form.getFieldsValue(true) as Values;
    setResults(
      await send(testSettlementRule, {
        baseType: baseType ?? 'PAID',
        ratioBp: ratioBp ?? 0,
        fixedFen: fixedFen ?? 0,
        capFen: capFen ?? null,
        testCases: testCases ?? [],
      }),
    );
  };
  return (
    <Form.Item>
      <Button onClick={() => void run()}>运行测试</Button>
      <ul aria-live="polite">
        {results.map((one, at) => (
          <li key={at} className={one.ok ? undefined : 'kq-danger'}>
            第{at + 1}条：期望 {yuan(one.expectFen, true)} 元，实际 {yuan(one.actualFen, true)} 元，{one.ok ? '通过' : '未通过'}
          </li>
        ))}
      </ul>
    </Form.Item>
  );
}
