import { Form, Select } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { queryContractList, suspendContract as of, type ContractRow } from '../../contract/calls/contracts.ts';
import { CHOSEN_SUSPENSIONS, suspendReasons } from '../../contract/contractDictionaries.ts';
import { contractReads } from './reads.ts';

interface Values {
  reason: (typeof CHOSEN_SUSPENSIONS)[number];
  opinion: string;
}

/** 暂停: the rights of a contract rest until somebody lets it go on. */
export function SuspendForm({ contract, onClose }: { contract: ContractRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`暂停合同 ${contract.contractNo}`}
      call={of}
      form={form}
      initial={{ reason: 'RISK' }}
      toInput={(values) => ({ ...values, contractId: contract.id, version: contract.version })}
      refreshes={contractReads}
      success="修改成功!"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryContractList.output, contract, ['insuredName', 'productName', 'startDate', 'endDate'])} />
      <Field of={of} name="reason">
        <Select options={CHOSEN_SUSPENSIONS.map((value) => ({ value, label: suspendReasons.label(value) }))} />
      </Field>
      <Field of={of} name="opinion" />
    </FormDrawer>
  );
}
