import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { TypedItem } from '#kernel/web/form/TypedItem.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { batchRefund as of, queryRefundBatchList, type RefundBatchRow } from '../../contract/calls/batches.ts';
import { moneyReads } from '../reads.ts';

interface Values {
  typedFen?: number | null;
}

/** 执行批量退款: whoever starts it types what it comes to. */
export function ExecuteForm({ batch, onClose }: { batch: RefundBatchRow; onClose(): void }) {
  return (
    <FormDialog<typeof of, Values>
      open
      title={`执行批量退款 ${batch.batchNo}`}
      call={of}
      submitText="执行退款"
      toInput={() => ({ refundBatchId: batch.id, version: batch.version })}
      refreshes={moneyReads}
      success="操作成功!"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryRefundBatchList.output, batch, ['itemCount', 'amountFen', 'makerName', 'approverName'])} />
      <TypedItem
        label="请输入批次退款金额（元）以确认"
        name="typedFen"
        rules={[
          againstRecord((value?: number | null) =>
            value === batch.amountFen ? null : value === undefined || value === null ? '请输入批次退款金额' : '与批次退款金额不一致',
          ),
        ]}
      >
        <MoneyInput placeholder="0.00" />
      </TypedItem>
    </FormDialog>
  );
}
