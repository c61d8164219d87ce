import { Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import {
  addAssociatedProduct,
  associatedFacts,
  associatedTypes,
  modifyAssociatedProduct,
  queryAssociatedProductList,
  queryProductGraph,
  type AssociatedRow,
} from '../../contract/links/calls.ts';
import { linkTypes } from '../../contract/links/dictionaries.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { Select } from 'antd';

const refreshes = [queryAssociatedProductList, queryProductGraph, queryProductList];
const labels = labelsOf(associatedFacts.shape);
const typeOptions = associatedTypes.map((value) => ({ value, label: linkTypes.label(value) }));
const hints: Partial<Record<string, string>> = {
  RENEWAL_OF: '主产品承接关联产品的保障；间隔不超过约定天数的，可豁免等待期',
  UPGRADE_OF: '主产品是关联产品的升级版',
  EXCLUSIVE: '同一人不能同时投保两个产品',
  BUNDLE: '两个产品组合销售',
  SUBSTITUTE: '关联产品停售后由主产品替代',
};

function LinkFields() {
  const form = Form.useFormInstance<InputOf<typeof addAssociatedProduct>>();
  const type = Form.useWatch('linkType', form);
  const of = addAssociatedProduct;
  return (
    <>
      <Field of={of} name="linkType" extra={type ? hints[type] : undefined}>
        <Select placeholder="请选择" options={typeOptions} />
      </Field>
      <Field of={of} name="otherProductId">
        <OptionSelect type="PRODUCT" />
      </Field>
      <Field of={of} name="effectiveFrom" />
      <Field of={of} name="effectiveTo" placeholder="长期" />
      {type === 'RENEWAL_OF' && (
        <>
          <Field of={of} name="maxGapDays" required />
          <Field of={of} name="waiveWaiting" />
        </>
      )}
    </>
  );
}

export function NewLink({ productId, onClose }: { productId: string | undefined; onClose(): void }) {
  return (
    <FormDrawer<typeof addAssociatedProduct, InputOf<typeof addAssociatedProduct>>
      open
      title="新增关联"
      call={addAssociatedProduct}
      initial={{ ...(productId && { mainProductId: productId }), waiveWaiting: false }}
      toInput={(values) => ({ ...values, effectiveTo: values.effectiveTo ?? null, maxGapDays: values.maxGapDays ?? null })}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addAssociatedProduct} name="mainProductId">
        <OptionSelect type="PRODUCT" />
      </Field>
      <LinkFields />
    </FormDrawer>
  );
}

type Changes = Omit<InputOf<typeof modifyAssociatedProduct>, 'linkId' | 'version'>;

export function EditLink({ row, onClose }: { row: AssociatedRow; onClose(): void }) {
  const { id, version, otherProductId, linkType, effectiveFrom, effectiveTo, waiveWaiting, maxGapDays } = row;
  if (linkType === 'APPENDED') return null;
  return (
    <FormDrawer<typeof modifyAssociatedProduct, Changes>
      open
      title={`编辑关联：${row.mainProductName}`}
      call={modifyAssociatedProduct}
      recordKey={id}
      initial={{ otherProductId, linkType, effectiveFrom, effectiveTo, waiveWaiting, maxGapDays }}
      toInput={(values) => ({
        ...values,
        effectiveTo: values.effectiveTo ?? null,
        maxGapDays: values.maxGapDays ?? null,
        linkId: id,
        version,
      })}
      labels={labels}
      valuesOf={(current) => ({ ...current })}
      display={displayBy({ linkType: linkTypes })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <LinkFields />
    </FormDrawer>
  );
}
