import { Form, Select } from 'antd';
import type { InputOf, OutputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { registerOfflinePay as of, queryContractPayDetail } from '../../contract/calls/contractPays.ts';
import { contractPayChannels, HAND_CHANNELS } from '../../contract/contractDictionaries.ts';
import { CONTRACT_PAY_PROOF } from '../../contract/contractPurposes.ts';
import { contractReads } from './reads.ts';

const payOut = queryContractPayDetail.output.shape.pays.def.element;
type Pay = OutputOf<typeof queryContractPayDetail>['pays'][number];
type Values = Omit<InputOf<typeof of>, 'payId' | 'version' | 'proofFileId'> & { proofFileId?: readonly UploadedFile[] };

/** 登记线下支付: what came by bank; a second person looks at it. */
export function RegisterForm({ pay, onClose }: { pay: Pay; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`登记线下支付 ${pay.payNo}`}
      call={of}
      form={form}
      initial={{ channel: 'BANK', amountFen: pay.amountFen, payerName: pay.payerName }}
      submitText="提交复核"
      toInput={({ proofFileId, ...values }) => ({
        ...values,
        payId: pay.id,
        version: pay.version,
        proofFileId: proofFileId?.[0]?.fileId ?? '',
      })}
      refreshes={contractReads}
      success="message"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(payOut, pay, ['amountFen', 'expireAt'])} />
      <Field of={of} name="channel">
        <Select options={HAND_CHANNELS.map((value) => ({ value, label: contractPayChannels.label(value) }))} />
      </Field>
      <Field of={of} name="amountFen" />
      <Field of={of} name="paidOn" />
      <Field of={of} name="payerName" />
      <Field of={of} name="bankSerialNo" />
      <Field of={of} name="proofFileId" required>
        <Upload purpose={CONTRACT_PAY_PROOF} max={1} />
      </Field>
    </FormDrawer>
  );
}
