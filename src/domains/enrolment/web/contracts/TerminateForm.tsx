import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { failureText } from '#kernel/web/http/refusal.ts';
import { useData } from '#kernel/web/http/queries.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import {
  addContractTermination as of,
  previewContractTerminate,
  queryContractList,
  type ContractRow,
} from '../../contract/calls/contracts.ts';
import { calcText } from './texts.ts';
import { contractReads } from './reads.ts';

type Values = Omit<InputOf<typeof of>, 'contractId' | 'version'>;

/** What would go back, as it is typed. */
function Preview({ contractId, terminatedOn }: { contractId: string; terminatedOn: string }) {
  const { data, error } = useData(previewContractTerminate, { contractId, terminatedOn }, { quiet: true });
  if (error) return <Alert type="error" showIcon title={failureText(error)} />;
  if (!data) return null;
  const detail = data.calc === null ? '未收取服务费，无需退款' : calcText(data.calc);
  return <Alert type="info" showIcon title={`预计退款 ${yuan(data.refundFen, true)} 元`} description={detail} />;
}

/** 终止: the first of two people. */
export function TerminateForm({ contract, onClose }: { contract: ContractRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const terminatedOn = Form.useWatch('terminatedOn', form);
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`终止合同 ${contract.contractNo}`}
      call={of}
      form={form}
      submitText="提交，待第二人确认"
      toInput={(values) => ({ ...values, contractId: contract.id, version: contract.version })}
      refreshes={contractReads}
      success="提交成功!"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={factsIn(queryContractList.output, contract, [
          'insuredName',
          'productName',
          'startDate',
          'endDate',
          'paidFen',
          'refundedFen',
        ])}
      />
      <Field of={of} name="terminatedOn" />
      {terminatedOn && <Preview contractId={contract.id} terminatedOn={terminatedOn} />}
      <Field of={of} name="reason" />
      <Field of={of} name="opinion" />
      <p className="kq-muted">终止日期是最后一个有保障的日子；提交后24小时内须由入组复核人员确认，逾期失效。</p>
    </FormDrawer>
  );
}
