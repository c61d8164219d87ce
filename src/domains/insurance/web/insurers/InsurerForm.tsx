import { Button, Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import {
  addInsurer,
  insurerContact,
  insurerFacts,
  modifyInsurer,
  queryInsurerList,
  type InsurerRow,
} from '../../contract/insurers/calls.ts';
import { auditModes, fundModes, insurerTypes, invoiceVariants } from '../../contract/insurers/dictionaries.ts';
import './insurers.css';

type Values = InputOf<typeof addInsurer>;
const refreshes = [queryInsurerList];
const labels = labelsOf(insurerFacts.shape);

function ContactRows() {
  return (
    <Form.List name="contacts">
      {(rows, { add, remove }) => (
        <>
          <p className="ins-sub">联系人</p>
          {rows.map(({ key, name }) => (
            <div key={key} className="ins-contact">
              <Field of={insurerContact} name="name" within={['contacts', name]} />
              <Field of={insurerContact} name="role" within={['contacts', name]} />
              <Field of={insurerContact} name="mobile" within={['contacts', name]} />
              <Button type="link" danger onClick={() => remove(name)}>
                移除
              </Button>
            </div>
          ))}
          <Button onClick={() => add({ mobile: '' })} disabled={rows.length >= 10}>
            添加联系人
          </Button>
        </>
      )}
    </Form.List>
  );
}

function InsurerFields() {
  const form = Form.useFormInstance<Values>();
  const mode = Form.useWatch('auditMode', form);
  const of = addInsurer;
  return (
    <>
      <Field of={of} name="insurerCode" placeholder="如 ZA" />
      <Field of={of} name="insurerName" />
      <Field of={of} name="shortName" />
      <Field of={of} name="insurerType" />
      <Field of={of} name="uscc" />
      <Field of={of} name="licenceNo" />
      <Field of={of} name="auditMode" />
      {mode === 'PLATFORM_THEN_INSURER' && <Field of={of} name="secondReviewFen" required extra="应赔金额达到该金额的案件由保司复审" />}
      <Field of={of} name="fundMode" />
      <Field of={of} name="invoiceVariant" />
      <ContactRows />
    </>
  );
}

const toInput = (values: Values): Values => ({
  ...values,
  secondReviewFen: values.auditMode === 'PLATFORM_THEN_INSURER' ? (values.secondReviewFen ?? null) : null,
  contacts: values.contacts ?? [],
});

export function NewInsurer({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addInsurer, Values>
      open
      title="新增保司"
      call={addInsurer}
      initial={{ auditMode: 'PLATFORM', fundMode: 'ADVANCE', invoiceVariant: 'STANDARD', contacts: [] }}
      toInput={toInput}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <InsurerFields />
    </FormDrawer>
  );
}

export function EditInsurer({ row, onClose }: { row: InsurerRow; onClose(): void }) {
  const {
    id,
    version,
    insurerCode,
    insurerName,
    shortName,
    insurerType,
    uscc,
    licenceNo,
    contacts,
    auditMode,
    secondReviewFen,
    fundMode,
    invoiceVariant,
  } = row;
  return (
    <FormDrawer<typeof modifyInsurer, Values>
      open
      title={`编辑保司 ${insurerName}`}
      call={modifyInsurer}
      recordKey={id}
      initial={{
        insurerCode,
        insurerName,
        shortName,
        insurerType,
        uscc,
        licenceNo,
        contacts,
        auditMode,
        secondReviewFen,
        fundMode,
        invoiceVariant,
      }}
      toInput={(values) => ({ ...toInput(values), id, version })}
      labels={labels}
      valuesOf={(current) => ({ ...current })}
      display={displayBy({ insurerType: insurerTypes, auditMode: auditModes, fundMode: fundModes, invoiceVariant: invoiceVariants })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <InsurerFields />
    </FormDrawer>
  );
}
