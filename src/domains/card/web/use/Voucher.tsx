import type { AnswerOf } from '#kernel/contract/call.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { StatementSheet } from '#kernel/web/kit/StatementSheet.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { queryWriteOffDetail } from '../../contract/calls/writeOffs.ts';

interface Line {
  goods: string;
  amount: number;
  fee: number;
  reversed: number;
}

/** 核销凭证 on paper. */
export const Voucher = ({ id, onClose }: { id: string; onClose(): void }) => (
  <FormRecord call={queryWriteOffDetail} input={{ writeOffId: id }} title="卡核销凭证" width={640} onClose={onClose}>
    {(data) => <Paper data={data} onClose={onClose} />}
  </FormRecord>
);

function Paper({ data, onClose }: { data: AnswerOf<typeof queryWriteOffDetail>; onClose(): void }) {
  const rows: Line[] = [{ goods: data.goods, amount: data.amount, fee: data.fee, reversed: data.reversed }];
  return (
    <StatementSheet<Line>
      title="卡核销凭证"
      facts={[
        { label: '核销单号', value: data.writeOffNo },
        { label: '核销时间', value: showInstant(data.doneAt) },
        { label: '订单号', value: data.orderNo },
        { label: '药店', value: data.merchantName },
        { label: '卡号', value: data.cardNo },
        { label: '卡种', value: data.cardTypeName },
        { label: '持卡人', value: data.holderName ?? '—' },
        { label: '经办', value: data.operator },
      ]}
      columns={[
        { key: 'goods', title: '商品' },
        { key: 'amount', title: '核销金额（元）', kind: 'money' },
        { key: 'fee', title: '手续费（元）', kind: 'money' },
        { key: 'reversed', title: '已冲正（元）', kind: 'money' },
      ]}
      rows={rows}
      totals={{
        goods: '合计',
        amount: <Money fen={data.amount} />,
        fee: <Money fen={data.fee} />,
        reversed: <Money fen={data.reversed} />,
      }}
      foot="持卡人签字：　　　　　　　　　　药店盖章：　　　　　　　　　　"
      onClose={onClose}
    />
  );
}
