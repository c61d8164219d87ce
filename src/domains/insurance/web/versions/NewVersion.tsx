import { Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { documentPhases } from '../../contract/documents/states.ts';
import { addProductVersion, queryProductDetail } from '../../contract/products/calls.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';

type Values = Omit<InputOf<typeof addProductVersion>, 'productId'>;

interface NewVersionProps {
  productId: string;
  /** Version that it begins as a copy of. */
  copyFrom: string | undefined;
  onClose(): void;
  onMade(versionId: string): void;
}

export function NewVersion({ productId, copyFrom, onClose, onMade }: NewVersionProps) {
  const { data } = useData(queryProductDetail, { productId }, { quiet: true, fresh: 10_000 });
  return (
    <FormDialog<typeof addProductVersion, Values>
      open
      title="新建版本"
      width={520}
      call={addProductVersion}
      initial={copyFrom === undefined ? {} : { copyFrom }}
      toInput={({ copyFrom: source, effectiveFrom }) => ({ productId, effectiveFrom, ...(source && { copyFrom: source }) })}
      refreshes={[queryProductList, queryProductDetail]}
      success="新增成功!"
      onClose={onClose}
      onDone={({ data: made }) => onMade(made.productVersionId)}
    >
      <Field of={addProductVersion} name="copyFrom" extra="复制内容、理赔规则和测试用例；不选则从空白开始">
        <Select
          allowClear
          placeholder="空白版本"
          options={(data?.versions ?? []).map((one) => ({
            value: one.id,
            label: `V${one.versionNo} ${documentPhases.label(one.phase)} ${one.effectiveFrom}起`,
          }))}
        />
      </Field>
      <Field of={addProductVersion} name="effectiveFrom" extra="须在已发布版本之后；按保单起保日适用" />
    </FormDialog>
  );
}
