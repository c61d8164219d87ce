import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { addBatch, batchDetails, modifyBatch, queryBatchList, type BatchDetails } from '../../contract/calls/batches.ts';
import type { CardTypeRow } from '../../contract/calls/types.ts';
import { cardKinds } from '../../contract/dictionaries.ts';
import { SECOND_APPROVAL_FROM, type media } from '../../contract/typeDictionaries.ts';

interface Values {
  quantity: number;
  faceAmount: number;
  bonusAmount: number;
  medium: (typeof media.codes)[number];
  purpose: string;
}

function Wishes() {
  const [quantity, faceAmount, bonusAmount] = [Form.useWatch('quantity'), Form.useWatch('faceAmount'), Form.useWatch('bonusAmount')];
  const total = (Number(quantity) || 0) * ((Number(faceAmount) || 0) + (Number(bonusAmount) || 0));
  return (
    <>
      <Field of={addBatch} name="quantity" />
      <Field of={addBatch} name="faceAmount" />
      <Field of={addBatch} name="bonusAmount" />
      <Field of={addBatch} name="medium" />
      <Field of={addBatch} name="purpose" />
      <Alert
        type={total >= SECOND_APPROVAL_FROM ? 'warning' : 'info'}
        title={`总金额 ${yuan(total, true)} 元${total >= SECOND_APPROVAL_FROM ? '，总金额达到50万元，需复审' : ''}`}
      />
    </>
  );
}

export function NewBatch({ type, onClose }: { type: CardTypeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof addBatch, Values>
      open
      title="新建批次"
      call={addBatch}
      initial={{ medium: 'VIRTUAL', faceAmount: type.terms.faceAmount, bonusAmount: type.terms.bonusAmount }}
      toInput={(values) => ({ ...values, cardTypeId: type.id })}
      refreshes={[queryBatchList]}
      success="新增成功!"
      onClose={onClose}
    >
      <Facts
        columns={2}
        facts={[
          { label: '卡种', value: type.typeName },
          { label: '类型', value: cardKinds.label(type.kind) },
          { label: '有效期规则', value: type.validity },
          { label: '规则版本', value: type.ruleVersion },
        ]}
      />
      <Wishes />
    </FormDrawer>
  );
}

function ReadBatch({ batch, onClose }: { batch: BatchDetails; onClose(): void }) {
  const { id, version, quantity, faceAmount, bonusAmount, medium, purpose } = batch;
  return (
    <FormDrawer<typeof modifyBatch, Values>
      open
      title={`修改批次 ${batch.batchNo}`}
      call={modifyBatch}
      recordKey={id}
      initial={{ quantity, faceAmount, bonusAmount, medium, purpose }}
      toInput={(values) => ({ ...values, batchId: id, version })}
      refreshes={[queryBatchList]}
      success="保存成功!"
      onClose={onClose}
    >
      <Wishes />
    </FormDrawer>
  );
}

/** The form of a batch, with what it holds now. */
export const EditBatch = ({ id, onClose }: { id: string; onClose(): void }) => (
  <FormRecord call={batchDetails} input={{ batchId: id }} title="修改批次" width={640} onClose={onClose}>
    {(batch) => <ReadBatch batch={batch} onClose={onClose} />}
  </FormRecord>
);
