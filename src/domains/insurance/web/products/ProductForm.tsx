import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { labelsOf } from '#kernel/contract/labels.ts';
import { RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { productLines, productTypes, type ProductLine } from '../../contract/businessLines.ts';
import { addProduct, modifyProduct, queryProductDetail } from '../../contract/products/calls.ts';
import { productFacts } from '../../contract/products/facts.ts';
import { copyProduct, queryProductCounts, queryProductList, type ProductRow } from '../../contract/products/listCalls.ts';
import { productPermissions } from '../../contract/permissions.ts';
import { lineForms } from '../../contract/products/lineForms.ts';
import { DrugSelect } from '../shared/DrugSelect.tsx';
import { OptionSelect } from '../shared/OptionSelect.tsx';
import { StaffPicker } from '#kernel/web/kit/pickers.tsx';

type Values = InputOf<typeof addProduct>;
const refreshes = [queryProductList, queryProductCounts, queryProductDetail];
const labels = labelsOf(productFacts.shape);

function ProductFields({ fixed, manager }: { fixed: boolean; manager?: { value: string; label: string } | undefined }) {
  const form = Form.useFormInstance<Values>();
  const line: ProductLine | undefined = Form.useWatch('productLine', form);
  const shape = line ? lineForms[line] : undefined;
  const of = addProduct;
  return (
    <>
      <Field of={of} name="productCode" placeholder="如 SPD-2026" extra={fixed ? '已发布过版本，编码不能修改' : undefined} />
      <Field of={of} name="productName" />
      <Field of={of} name="shortName" />
      <Field of={of} name="productLine" />
      <Field of={of} name="productType">
        <Select
          placeholder={line ? '请选择' : '请先选择业务线'}
          disabled={!line}
          options={(shape?.types ?? []).map((value) => ({ value, label: productTypes.label(value) }))}
        />
      </Field>
      {shape && (shape.payer === 'INSURER' || shape.payer === 'SPONSOR_OR_INSURER' || shape.payer === 'SPONSOR') && (
        <Field of={of} name="insurerId" required={shape.payer === 'INSURER'}>
          <OptionSelect type="INSURER" />
        </Field>
      )}
      {shape && (shape.payer === 'SPONSOR' || shape.payer === 'SPONSOR_OR_INSURER') && (
        <Field
          of={of}
          name="sponsorName"
          required={shape.payer === 'SPONSOR'}
          {...(shape.payer === 'SPONSOR_OR_INSURER' && { extra: '保司与出资企业至少填写一项' })}
        />
      )}
      {shape?.payer === 'PHARMA' && (
        <Field of={of} name="pharmaCompanyId" required>
          <DrugSelect type="COMPANY" />
        </Field>
      )}
      <Field of={of} name="adcodes" extra="不选则全国销售">
        <RegionsPicker />
      </Field>
      <Field of={of} name="ownerUserId">
        <StaffPicker permission={productPermissions['product.edit']} known={manager} />
      </Field>
    </>
  );
}

const toInput = (values: Values): Values => ({
  ...values,
  insurerId: values.insurerId ?? null,
  sponsorName: values.sponsorName || null,
  pharmaCompanyId: values.pharmaCompanyId ?? null,
  adcodes: values.adcodes ?? [],
  ownerUserId: values.ownerUserId ?? null,
});

export function NewProduct({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addProduct, Values>
      open
      title="新增产品"
      call={addProduct}
      initial={{ adcodes: [] }}
      toInput={toInput}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <ProductFields fixed={false} />
    </FormDrawer>
  );
}

export function EditProduct({ productId, onClose }: { productId: string; onClose(): void }) {
  return (
    <FormRecord call={queryProductDetail} input={{ productId }} title="编辑产品" width={640} onClose={onClose}>
      {({ product, versions }) => {
        const {
          id,
          version,
          productCode,
          productName,
          shortName,
          productLine,
          productType,
          insurerId,
          sponsorName,
          pharmaCompanyId,
          adcodes,
          ownerUserId,
        } = product;
        return (
          <FormDrawer<typeof modifyProduct, Values>
            open
            title={`编辑产品 ${productName}`}
            call={modifyProduct}
            recordKey={id}
            initial={{
              productCode,
              productName,
              shortName,
              productLine,
              productType,
              insurerId,
              sponsorName,
              pharmaCompanyId,
              adcodes,
              ownerUserId,
            }}
            toInput={(values) => ({ ...toInput(values), id, version })}
            labels={labels}
            valuesOf={(current) => ({ ...current })}
            display={displayBy({ productLine: productLines, productType: productTypes })}
            refreshes={refreshes}
            success="修改成功!"
            onClose={onClose}
          >
            <ProductFields
              fixed={versions.some(({ state }) => state === 'PUBLISHED' || state === 'WITHDRAWN')}
              manager={ownerUserId ? { value: ownerUserId, label: product.ownerName ?? '（已离职）' } : undefined}
            />
          </FormDrawer>
        );
      }}
    </FormRecord>
  );
}

export function CopyProduct({ row, onClose }: { row: ProductRow; onClose(): void }) {
  return (
    <FormDrawer<typeof copyProduct, Omit<InputOf<typeof copyProduct>, 'id' | 'version'>>
      open
      title={`复制为新产品：${row.productName}`}
      call={copyProduct}
      initial={{ productName: `${row.productName}（副本）`.slice(0, 60) }}
      toInput={(values) => ({ ...values, id: row.id })}
      refreshes={refreshes}
      success="添加成功!"
      onClose={onClose}
    >
      <p className="kq-muted">复制产品资料，并以最新版本的内容、理赔规则和测试用例建立V1草稿；条款文件须重新上传。</p>
      <Field of={copyProduct} name="productCode" />
      <Field of={copyProduct} name="productName" />
      <Field of={copyProduct} name="effectiveFrom" />
    </FormDrawer>
  );
}
