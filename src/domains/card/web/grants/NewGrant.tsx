import { Button, Form, Modal } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { DIALOG_WIDTH } from '#kernel/web/feedback/dialogs.tsx';
import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { refresh } from '#kernel/web/http/queries.ts';
import { addGrant } from '../../contract/calls/grants.ts';
import type { CardTypeRow } from '../../contract/calls/types.ts';
import { GRANT_IMPORTER } from '../../contract/grantStates.ts';
import { CardTypePicker } from './CardTypePicker.tsx';
import { grantReads } from './useGrantActions.ts';

type Values = InputOf<typeof addGrant>;

/** 单笔: value for one person; a draft that is then submitted and passed by somebody else. */
export function NewGrant({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [type, setType] = useState<CardTypeRow | null>(null);
  const stored = type === null || type.kind === 'STORED_VALUE';
  const choose = (next: CardTypeRow | null) => {
    setType(next);
    if (!next) return;
    form.setFieldsValue({ amount: next.funder === 'PLATFORM' ? 0 : next.terms.faceAmount, bonus: next.terms.bonusAmount });
  };
  return (
    <FormDrawer<typeof addGrant, Values>
      open
      title="新增发放"
      call={addGrant}
      form={form}
      initial={{ idType: 'ID', amount: 0, bonus: 0 }}
      toInput={(values) => ({
        ...values,
        amount: values.amount ?? 0,
        bonus: values.bonus ?? 0,
        policyNo: values.policyNo || null,
        outerSerialNo: values.outerSerialNo || null,
        effectiveFrom: values.effectiveFrom ?? null,
        expireOn: values.expireOn ?? null,
      })}
      refreshes={grantReads}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addGrant} name="cardTypeId">
        <CardTypePicker enabled onType={choose} />
      </Field>
      <Field of={addGrant} name="holderName" />
      <Field of={addGrant} name="idType" />
      <Field of={addGrant} name="idNo" />
      <Field of={addGrant} name="mobile" />
      <Field of={addGrant} name="amount" label="发放金额（元）" hidden={!stored} />
      <Field of={addGrant} name="bonus" label="赠送金额（元）" hidden={!stored} />
      <Field of={addGrant} name="effectiveFrom" extra="不填则审批通过后立即发放" />
      <Field of={addGrant} name="expireOn" extra="不填则按卡种规则" hidden={!stored} />
      <Field of={addGrant} name="policyNo" />
      <Field of={addGrant} name="outerSerialNo" extra="同一卡种内不能重复，用于防止重复发放" />
      <Field of={addGrant} name="purpose" />
    </FormDrawer>
  );
}

/** 导入名单: first the card type, then template, file, preview and commit. */
export function ImportGrant({ onClose }: { onClose(): void }) {
  const [cardTypeId, setCardTypeId] = useState<string | null>(null);
  const [chosen, setChosen] = useState(false);
  if (chosen && cardTypeId !== null)
    return (
      <ImportWizard
        importerCode={GRANT_IMPORTER}
        params={{ cardTypeId }}
        open
        onChanged={() => void refresh(...grantReads)}
        onClose={() => {
          void refresh(...grantReads);
          onClose();
        }}
      />
    );
  return (
    <Modal
      open
      title="导入名单"
      width={DIALOG_WIDTH}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={cardTypeId === null} onClick={() => setChosen(true)}>
            下一步
          </Button>
        </>
      }
    >
      <Form layout="vertical">
        <Form.Item label="卡种" required extra="名单中的每个人都发放这个卡种">
          <CardTypePicker enabled value={cardTypeId} onChange={setCardTypeId} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
