import { Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { addCardType, copyCardType, modifyCardType, queryCardTypeList, type CardTypeRow } from '../../contract/calls/types.ts';
import { cardKinds } from '../../contract/dictionaries.ts';
import { TypeFields, useTypeSteps } from './TypeFields.tsx';
import './types.css';

const refreshes = [queryCardTypeList];
type Values = InputOf<typeof addCardType>;
type Changes = InputOf<typeof modifyCardType>;

export function NewType({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const kind = Form.useWatch('kind', form) ?? 'STORED_VALUE';
  const steps = useTypeSteps();
  return (
    <FormDrawer<typeof addCardType, Values>
      open
      title="新增卡种"
      width={980}
      call={addCardType}
      form={form}
      onFaulty={steps.onFaulty}
      initial={{
        kind: 'STORED_VALUE',
        validMode: 'DAYS',
        validDays: 365,
        expiryPolicy: 'RETURN',
        stackable: true,
        refundGraceDays: 0,
        feeRateBp: 0,
      }}
      toInput={(values) => values}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <TypeFields
        kind={kind}
        steps={steps}
        head={
          <>
            <Field of={addCardType} name="typeCode" placeholder="如 HMO-2026" />
            <Field of={addCardType} name="kind" />
          </>
        }
      />
    </FormDrawer>
  );
}

export function EditType({ row, onClose }: { row: CardTypeRow; onClose(): void }) {
  const [form] = Form.useForm<Changes>();
  const steps = useTypeSteps();
  const { id, version, typeName, bizLine, funder, funderId, funderName, fundingMode, productCode } = row;
  return (
    <FormDrawer<typeof modifyCardType, Changes>
      open
      title={`编辑${cardKinds.label(row.kind)} ${row.typeCode}`}
      width={980}
      call={modifyCardType}
      form={form}
      onFaulty={steps.onFaulty}
      recordKey={id}
      initial={{ ...row.terms, typeName, bizLine, funder, funderId, funderName, fundingMode, productCode }}
      toInput={(values) => ({ ...row.terms, ...values, id, version })}
      refreshes={refreshes}
      success="保存成功!"
      onClose={onClose}
    >
      <TypeFields kind={row.kind} steps={steps} />
    </FormDrawer>
  );
}

export function CopyType({ row, onClose }: { row: CardTypeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof copyCardType, { typeCode: string }>
      open
      title={`复制卡种 ${row.typeName}`}
      call={copyCardType}
      toInput={({ typeCode }) => ({ id: row.id, typeCode })}
      refreshes={refreshes}
      success="添加成功!"
      onClose={onClose}
    >
      <Field of={copyCardType} name="typeCode" />
    </FormDrawer>
  );
}
