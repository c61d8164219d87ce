import { Form, InputNumber } from 'antd';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { plusYears } from '#domains/insurance/contract/model/quote.ts';
import { queryInsuredBatchList } from '../../contract/calls/batches.ts';
import {
  addPolicy,
  modifyPolicy,
  queryPolicyDetail,
  queryPolicyList,
  queryPolicyTotal,
  renewPolicy,
  type PolicyRow,
} from '../../contract/calls/policies.ts';
import { ProductPicker } from '#kernel/web/kit/pickers.tsx';

const refreshes = [queryPolicyList, queryPolicyTotal, queryPolicyDetail];
type Values = InputOf<typeof addPolicy>;
type RenewValues = Pick<InputOf<typeof renewPolicy>, 'policyNo' | 'coverageStart' | 'coverageEnd'>;
const yearEnd = (start: Day): Day => plusDays(plusYears(start, 1), -1);

/** 新增保单: what the insurer's contract says; its cover comes with the first endorsement. */
export function NewPolicy({ onClose, onMade }: { onClose(): void; onMade(policyId: string): void }) {
  const [form] = Form.useForm<Values>();
  const type = Form.useWatch('policyType', form);
  const of = addPolicy;
  return (
    <FormDrawer<typeof addPolicy, Values>
      open
      title="新增保单"
      width={720}
      call={addPolicy}
      form={form}
      initial={{
        policyType: 'GROUP',
        holderType: 'ORG',
        payMode: 'LUMP',
        prorate: 'DAY',
        graceDays: 30,
        maxBackdateDays: 30,
        refundFeeBp: 0,
        refundIfClaimed: true,
        declaredCount: 0,
      }}
      onValuesChange={(changed) => {
        if (changed.policyType) form.setFieldValue('holderType', changed.policyType === 'PERSONAL' ? 'PERSON' : 'ORG');
        if (changed.coverageStart && !form.isFieldTouched('coverageEnd')) form.setFieldValue('coverageEnd', yearEnd(changed.coverageStart));
      }}
      refreshes={refreshes}
      success="新增成功!"
      onDone={({ data }) => onMade(data.id)}
      onClose={onClose}
    >
      <Field of={of} name="policyNo" />
      <Field of={of} name="productId">
        <ProductPicker />
      </Field>
      <Field of={of} name="policyType" />
      <Field of={of} name="holderType" />
      <Field of={of} name="holderName" />
      <Field of={of} name="holderIdNo" label={type === 'PERSONAL' ? '投保人证件号' : '统一社会信用代码'} />
      <Field of={of} name="holderContact" />
      <Field of={of} name="coverageStart" />
      <Field of={of} name="coverageEnd" />
      <Field of={of} name="payMode" />
      <Field of={of} name="prorate" />
      <Field of={of} name="graceDays" />
      <Field of={of} name="refundFeeBp" extra="500 即退费时扣 5%" />
      <Field of={of} name="refundIfClaimed" />
      <Field of={of} name="declaredCount" />
      <Field of={of} name="maxBackdateDays" />
      <Field of={of} name="adcode" placeholder="6位行政区划代码" />
      <Field of={of} name="channelName" />
    </FormDrawer>
  );
}

/** 续保: the same contract for another term; whoever was covered to its last day comes as a list to look at. */
export function RenewPolicy({
  row,
  onClose,
  onDone,
}: {
  row: PolicyRow;
  onClose(): void;
  onDone(made: AnswerOf<typeof renewPolicy>): void;
}) {
  const of = renewPolicy;
  const coverageStart = plusDays(row.coverageEnd, 1);
  const [form] = Form.useForm<RenewValues>();
  return (
    <FormDrawer<typeof renewPolicy, RenewValues>
      open
      title={`续保 ${row.policyNo}`}
      call={of}
      form={form}
      recordKey={row.id}
      initial={{ coverageStart, coverageEnd: yearEnd(coverageStart) }}
      toInput={(values) => ({ policyId: row.id, version: row.version, ...values })}
      onValuesChange={(changed) => {
        if (changed.coverageStart && !form.isFieldTouched('coverageEnd')) form.setFieldValue('coverageEnd', yearEnd(changed.coverageStart));
      }}
      refreshes={[...refreshes, queryInsuredBatchList]}
      success="新增成功!"
      onDone={({ data }) => onDone(data)}
      onClose={onClose}
    >
      <p className="kq-muted">
        沿用原保单的产品、投保人与缴费约定，产品版本按新起保日期确定。原保单终保日（{row.coverageEnd}
        ）在保的人员按原计划生成清单批次，确认后生效。
      </p>
      <Field of={of} name="policyNo" />
      <Field of={of} name="coverageStart" />
      <Field of={of} name="coverageEnd" />
    </FormDrawer>
  );
}

interface EditValues {
  holderContact?: string;
  declaredCount: number;
  channelName: string;
}

/** 修改联系信息: all else of a policy is changed by endorsements. */
export function EditPolicy({ row, onClose }: { row: Pick<PolicyRow, 'id' | 'policyNo'>; onClose(): void }) {
  return (
    <FormRecord call={queryPolicyDetail} input={{ policyId: row.id }} title={`修改联系信息 ${row.policyNo}`} width={640} onClose={onClose}>
      {(data) => (
        <FormDrawer<typeof modifyPolicy, EditValues>
          open
          title={`修改联系信息 ${row.policyNo}`}
          call={modifyPolicy}
          recordKey={row.id}
          initial={{ declaredCount: data.declaredCount, channelName: data.channelName }}
          toInput={({ holderContact, ...values }) => ({
            id: row.id,
            version: data.version,
            ...values,
            ...(holderContact && { holderContact }),
          })}
          labels={{ declaredCount: '申报人数', channelName: '渠道' }}
          refreshes={refreshes}
          success="修改成功!"
          onClose={onClose}
        >
          <Field
            of={modifyPolicy}
            name="holderContact"
            placeholder={data.holderContact ?? ''}
            extra={data.holderContact ? `现为 ${data.holderContact}，不填则不变` : undefined}
          />
          <Field of={modifyPolicy} name="declaredCount">
            <InputNumber className="kq-wide" min={0} />
          </Field>
          <Field of={modifyPolicy} name="channelName" />
        </FormDrawer>
      )}
    </FormRecord>
  );
}
