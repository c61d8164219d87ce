import { Form, Select } from 'antd';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { addContractAmendment as of } from '../../contract/calls/contractAmendments.ts';
import { queryContractDetail, queryContractList, type ContractRow } from '../../contract/calls/contracts.ts';
import type { AmendmentType } from '../../contract/contractDictionaries.ts';
import { CONTRACT_AMEND } from '../../contract/contractPurposes.ts';
import { contractReads } from './reads.ts';

interface Values {
  type: AmendmentType;
  effectiveOn: string;
  reason: string;
  fileIds?: readonly UploadedFile[];
  drugIds?: string[];
  payeeName?: string;
  payeeBank?: string;
  payeeAccount?: string;
  mobile?: string;
  endDate?: string;
}
/** What each type of change asks for. */
const ASKED: Readonly<Record<AmendmentType, readonly (keyof Values)[]>> = {
  DRUG: ['drugIds'],
  PAYEE: ['payeeName', 'payeeBank', 'payeeAccount'],
  CONTACT: ['mobile'],
  EXTEND: ['endDate'],
  PLAN: [],
};

/** 变更: facts of a contract change in no other way; another person agrees to it. */
export function AmendForm({ contract, onClose }: { contract: ContractRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const type = Form.useWatch('type', form) ?? 'DRUG';
  const { data } = useData(queryContractDetail, { contractId: contract.id }, { quiet: true });
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`合同变更 ${contract.contractNo}`}
      call={of}
      form={form}
      initial={{ type: 'DRUG' }}
      submitText="提交审批"
      toInput={({ type: chosen, effectiveOn, reason, fileIds, ...values }) => ({
        contractId: contract.id,
        version: contract.version,
        type: chosen,
        effectiveOn,
        reason,
        fileIds: (fileIds ?? []).map(({ fileId }) => fileId),
        ...(chosen === 'DRUG' && values.drugIds && { drugIds: values.drugIds }),
        ...(chosen === 'PAYEE' && {
          ...(values.payeeName && { payeeName: values.payeeName }),
          ...(values.payeeBank && { payeeBank: values.payeeBank }),
          ...(values.payeeAccount && { payeeAccount: values.payeeAccount }),
        }),
        ...(chosen === 'CONTACT' && values.mobile && { mobile: values.mobile }),
        ...(chosen === 'EXTEND' && values.endDate && { endDate: values.endDate }),
      })}
      refreshes={contractReads}
      success="提交成功!"
      onClose={onClose}
    >
      <Facts columns={2} facts={factsIn(queryContractList.output, contract, ['insuredName', 'productName', 'startDate', 'endDate'])} />
      <Field of={of} name="type" />
      <Field of={of} name="effectiveOn" />
      {ASKED[type].map((name) =>
        name === 'drugIds' ? (
          <Field key={name} of={of} name="drugIds">
            <Select
              mode="multiple"
              placeholder="请选择"
              showSearch={{ optionFilterProp: 'label' }}
              options={(data?.drugOptions ?? []).map((one) => ({ value: one.medicineId, label: one.name }))}
            />
          </Field>
        ) : (
          <Field key={name} of={of} name={name} />
        ),
      )}
      {type === 'PLAN' && <p className="kq-muted">方案以保单为准：生效日的保单方案将写入合同。</p>}
      <Field of={of} name="reason" />
      <Field of={of} name="fileIds">
        <Upload purpose={CONTRACT_AMEND} max={5} />
      </Field>
    </FormDrawer>
  );
}
