import { Form } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { queryContractList, signContractOnPaper as of, type ContractRow } from '../../contract/calls/contracts.ts';
import { CONTRACT_SIGN } from '../../contract/contractPurposes.ts';
import { contractReads } from './reads.ts';

interface Values {
  signedOn: string;
  fileId?: readonly UploadedFile[];
}

/** 登记签署: a contract that came back on paper. */
export function SignForm({ contract, onClose }: { contract: ContractRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`登记签署 ${contract.contractNo}`}
      call={of}
      form={form}
      toInput={({ signedOn, fileId }) => ({
        contractId: contract.id,
        version: contract.version,
        signedOn,
        fileId: fileId?.[0]?.fileId ?? '',
      })}
      refreshes={contractReads}
      success="操作成功!"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryContractList.output, contract, ['insuredName', 'productName', 'planCode', 'feeFen'])} />
      <Field of={of} name="signedOn" />
      <Field of={of} name="fileId" required>
        <Upload purpose={CONTRACT_SIGN} max={1} />
      </Field>
    </FormDrawer>
  );
}
