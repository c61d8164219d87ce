import { Form } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useList } from '#kernel/web/http/queries.ts';
import { useChoices } from '#kernel/web/kit/choices.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { queryContractList } from '../../contract/calls/contracts.ts';
import { addOtherMaterial } from '../../contract/calls/otherMaterials.ts';
import { factsOfKind, otherMaterialFacts } from '../../contract/materialFacts.ts';
import { requiredPapers } from '../../contract/materialStates.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { materialReads } from './useMaterialActions.ts';

type Input = InputOf<typeof addOtherMaterial>;
interface Values extends Omit<Input, 'materials'> {
  paper?: readonly UploadedFile[];
  others?: readonly UploadedFile[];
}
const of = addOtherMaterial;
const IN_FORCE = ['WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED'] as const;

/** A contract that is not over, by its number or the person's name. */
function ContractSelect(props: PickerProps<string>) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const wanted = keyword.trim();
  const by = /^HT\d/i.test(wanted) ? { contractNo: wanted } : { insuredName: wanted };
  const found = useList(queryContractList, { pageNo: 1, pageSize: 20, state: [...IN_FORCE], ...(wanted !== '' && by) }, { quiet: true });
  const options = found.rows?.map(({ id, contractNo, insuredName, productName }) => ({
    value: id,
    label: `${insuredName} ${contractNo} ${productName}`,
  }));
  const choices = useChoices(props.value ? [props.value] : [], options, undefined);
  return (
    <FoundSelect
      {...props}
      found={{ fetching: found.fetching, error: found.error, refetch: found.refetch }}
      options={choices}
      placeholder="输入被保人姓名或完整合同编号"
      none="没有找到未结束的合同"
      onSearch={search}
    />
  );
}

/** Facts of the chosen kind, and its papers. */
function KindFields() {
  const kind = Form.useWatch('kind', Form.useFormInstance<Values>());
  if (kind === undefined) return null;
  const { needed, more } = factsOfKind[kind];
  const [paper] = requiredPapers[kind];
  return (
    <>
      <Section title="材料内容">
        {[...needed, ...more].map((name) => (
          <Field key={`${kind}.${name}`} of={otherMaterialFacts} name={name} within={['facts']} />
        ))}
      </Section>
      <Section title="材料文件">
        {paper !== undefined && (
          <Form.Item
            name="paper"
            label={materialTypes.label(paper)}
            rules={[{ required: true, message: `请上传${materialTypes.label(paper)}` }]}
          >
            <Upload purpose={OTHER_MATERIAL_PAPER} max={10} />
          </Form.Item>
        )}
        <Form.Item
          name="others"
          label={paper === undefined ? '材料文件' : '其他附件'}
          rules={paper === undefined ? [{ required: true, message: '请上传材料' }] : []}
        >
          <Upload purpose={OTHER_MATERIAL_PAPER} max={10} />
        </Form.Item>
      </Section>
    </>
  );
}

const inputOf = ({ paper, others, facts, ...values }: Values): Input => {
  const [type] = requiredPapers[values.kind];
  const given = Object.fromEntries(
    Object.entries(facts ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
  return {
    ...values,
    facts: otherMaterialFacts.safeParse(given).data ?? {},
    materials: [
      ...(type === undefined ? [] : (paper ?? []).map(({ fileId }) => ({ materialType: type, fileId }))),
      ...(others ?? []).map(({ fileId }) => ({ materialType: 'OTHER' as const, fileId })),
    ],
  };
};

/** 录入材料: what a person handed in for his contract. */
export function NewMaterial({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addOtherMaterial, Values>
      open
      title="录入材料"
      width={720}
      call={addOtherMaterial}
      toInput={inputOf}
      refreshes={materialReads}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={of} name="contractId">
        <ContractSelect />
      </Field>
      <Field of={of} name="kind" />
      <KindFields />
    </FormDrawer>
  );
}
