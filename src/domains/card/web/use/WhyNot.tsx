import { Button, Form } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { checkCard } from '../../contract/calls/use.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { CheckResult } from './CheckResult.tsx';

/** 为什么不能用: what stands between a card and an order, rule by rule. */
export function WhyNot({ cardId }: { cardId: string }) {
  const [typed, setTyped] = useState('');
  const [orderNo, setOrderNo] = useState('');
  const { data, error, refetch, fetching } = useData(checkCard, { cardId, ...(orderNo && { orderNo }) }, { quiet: true });
  return (
    <>
      <Form layout="inline" onFinish={() => setOrderNo(typed.trim())}>
        <Form.Item label="订单号" htmlFor="why-order">
          <TextInput
            id="why-order"
            most={40}
            value={typed}
            placeholder="不填只看卡本身"
            onChange={({ target }) => setTyped(target.value)}
          />
        </Form.Item>
        <Button htmlType="submit" loading={fetching}>
          查询原因
        </Button>
      </Form>
      {error ? <TableFailure error={error} onRetry={() => void refetch()} /> : data && <CheckResult check={data} />}
    </>
  );
}
