import { todayHere } from '#kernel/web/form/today.ts';
import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { queryEndorsementList } from '../../contract/calls/endorsements.ts';
import { queryPolicyDetail } from '../../contract/calls/policies.ts';
import { addPremiumOrder } from '../../contract/calls/premium.ts';
import { endorsementKinds } from '../../contract/dictionaries.ts';
import { POLICY_LINE_VIEW } from '../../contract/lineView.ts';
import { periodsOf } from '../../contract/rules/premium.ts';
import { PolicySelect } from '../shared/PolicySelect.tsx';
import { premiumRefreshes as refreshes } from './premiumList.tsx';

type Values = InputOf<typeof addPremiumOrder>;

/** 生成保费订单: one that is missing, of an endorsement where that is known; its lines follow from the cover. */
export function NewOrder({ policyId: given, endorsementId, onClose }: { policyId?: string; endorsementId?: string; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const kind = Form.useWatch('kind', form);
  const chosen = Form.useWatch('policyId', form);
  const policyId = given ?? chosen ?? '';
  const reading = { quiet: true, enabled: policyId !== '' } as const;
  const { data: policy } = useData(queryPolicyDetail, { policyId }, reading);
  const { rows } = useList(queryEndorsementList, { policyId, state: ['VISIBLE'], pageNo: 1, pageSize: 100 }, reading);
  const periods = policy ? periodsOf(policy.payMode, policy.coverageStart, policy.termDays).filter(({ no }) => no > 1) : [];
  return (
    <FormDrawer<typeof addPremiumOrder, Values>
      open
      title="生成保费订单"
      call={addPremiumOrder}
      form={form}
      initial={{ dueOn: plusDays(todayHere(), 15), ...(endorsementId && { kind: 'ADJUST', endorsementId }) }}
      toInput={(values) => ({ ...values, policyId })}
      onValuesChange={(changed) => {
        // Endorsements and periods are those of one policy.
        if ('policyId' in changed) form.resetFields(['endorsementId', 'periodFrom']);
      }}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      {given === undefined && (
        <Field of={addPremiumOrder} name="policyId">
          <PolicySelect ended />
        </Field>
      )}
      <Field of={addPremiumOrder} name="kind" />
      {kind === 'ADJUST' && (
        <Field of={addPremiumOrder} name="endorsementId" required>
          <Select
            placeholder="请选择"
            options={(rows ?? [])
              .filter(({ premiumDeltaFen }) => premiumDeltaFen !== '0')
              .map((row) => ({
                value: row.id,
                label: `${row.endorsementNo} ${endorsementKinds.label(row.kind)} ${yuan(row.premiumDeltaFen, true)}元`,
              }))}
          />
        </Field>
      )}
      {kind === 'INSTALMENT' && (
        <Field of={addPremiumOrder} name="periodFrom" label="期次" required>
          <Select
            placeholder="请选择"
            options={periods.map(({ no, of, from, to }) => ({ value: from, label: `第${no}期/共${of}期　${from} 至 ${to}` }))}
          />
        </Field>
      )}
      <Field of={addPremiumOrder} name="dueOn" />
      {policy && POLICY_LINE_VIEW[policy.productLine].insurerNumbers && <Field of={addPremiumOrder} name="statedFen" />}
    </FormDrawer>
  );
}
