import { Form } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { auditContractRefund as of, queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { CONTRACT_PAY_PROOF } from '../../contract/contractPurposes.ts';
import { contractReads } from './reads.ts';

type Refund = OutputOf<typeof queryContractPayDetail>['refunds'][number];
interface Values {
  bankSerialNo: string;
  paidOn: string;
  proofFileId?: readonly UploadedFile[];
  opinion?: string;
}

/** 同意退款 of money that came by hand: whoever agrees says how it was paid back. */
export function PayBackForm({ refund, onClose }: { refund: Refund; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`同意退款 ${refund.refundNo}`}
      call={of}
      form={form}
      toInput={({ proofFileId, opinion, bankSerialNo, paidOn }) => ({
        refundId: refund.id,
        version: refund.version,
        decision: 'approve',
        opinion: opinion ?? '',
        bankSerialNo,
        paidOn,
        ...(proofFileId?.[0] && { proofFileId: proofFileId[0].fileId }),
      })}
      refreshes={contractReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={factsIn(queryContractPayDetail.output.shape.refunds.def.element, refund, ['payNo', 'amountFen', 'reason', 'makerName'])}
      />
      <Field of={of} name="bankSerialNo" required />
      <Field of={of} name="paidOn" required />
      <Field of={of} name="proofFileId" required>
        <Upload purpose={CONTRACT_PAY_PROOF} max={1} />
      </Field>
      <Field of={of} name="opinion" />
    </FormDrawer>
  );
}
