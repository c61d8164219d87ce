import { Button, Form } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { ChannelPicker, DoctorPicker, ServiceItemPicker } from '#kernel/web/kit/pickers.tsx';
import {
  addSettlementRule,
  modifySettlementRule,
  querySettlementRuleList,
  shareTestCase,
  type RuleVersionRow,
} from '../../contract/calls/rules.ts';
import type { RuleType } from '../../contract/dictionaries.ts';
import { PayerSelect } from '../PayerSelect.tsx';
import { TestRun } from './TestRun.tsx';

type Values = Omit<InputOf<typeof addSettlementRule>, 'ruleType'>;

const of = addSettlementRule;

/** 适用范围: what is empty limits nothing; without any of them a rule is the default. */
function ScopeFields() {
  return (
    <>
      <Field of={of} name="doctorId">
        <DoctorPicker placeholder="不限" />
      </Field>
      <Field of={of} name="channelId">
        <ChannelPicker placeholder="不限" />
      </Field>
      <Field of={of} name="serviceItemId">
        <ServiceItemPicker placeholder="不限" />
      </Field>
      <Field of={of} name="serviceType" placeholder="不限" />
      <Field of={of} name="doctorTitle" placeholder="不限" />
      <Field of={of} name="hospitalLevel" placeholder="不限" />
    </>
  );
}

function TestCases() {
  return (
    <FieldList of={of} name="testCases" missing="请至少填写一条测试用例">
      {(fields, { add, remove }, { errors }) => (
        <>
          {fields.map(({ key, name }) => (
            <div key={key} style={{ display: 'flex', gap: 8 }}>
              <Field of={shareTestCase} name="paidFen" within={[name]} />
              <Field of={shareTestCase} name="listFen" within={[name]} />
              <Field of={shareTestCase} name="expectFen" within={[name]} />
              <Button type="link" danger onClick={() => remove(name)}>
                删除用例
              </Button>
            </div>
          ))}
          <Button onClick={() => add({})}>添加用例</Button>
          <Form.ErrorList errors={errors} />
        </>
      )}
    </FieldList>
  );
}

function ShareFields() {
  return (
    <>
      <Field of={of} name="incomeType" starred />
      <Field of={of} name="baseType" starred />
      <Field of={of} name="ratioBp" extra="7000 表示 70%" />
      <Field of={of} name="fixedFen" />
      <Field of={of} name="capFen" placeholder="不封顶" />
      <Form.Item label="测试用例" required>
        <TestCases />
      </Form.Item>
      <TestRun />
    </>
  );
}

function CycleFields() {
  return (
    <>
      <Field of={of} name="payerEntityId" starred>
        <PayerSelect />
      </Field>
      <Field of={of} name="freezeDays" starred />
      <Field of={of} name="cycleDay" starred extra="次月几日开始批算" />
      <Field of={of} name="minPayoutFen" starred />
    </>
  );
}

/** A new rule, a change of its draft, or the next version of one that is in force. */
export function RuleForm({ ruleType, row, onClose }: { ruleType: RuleType; row: RuleVersionRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const tomorrow = plusDays(todayHere(), 1);
  const isNext = row?.status === 'PUBLISHED';
  const common = {
    open: true,
    width: 820,
    form,
    refreshes: [querySettlementRuleList],
    onClose,
    children: (
      <>
        <Field of={of} name="ruleName" />
        <Field of={of} name="effectiveFrom" />
        <Field of={of} name="effectiveTo" placeholder="长期" />
        {ruleType === 'SHARE' ? <ShareFields /> : <CycleFields />}
        <ScopeFields />
      </>
    ),
  };
  if (row === null)
    return (
      <FormDrawer<typeof addSettlementRule, Values>
        {...common}
        title={ruleType === 'SHARE' ? '新增分成规则' : '新增周期规则'}
        call={addSettlementRule}
        initial={{
          effectiveFrom: tomorrow,
          ...(ruleType === 'SHARE'
            ? { incomeType: 'CONSULT', baseType: 'PAID', fixedFen: 0, testCases: [] }
            : { freezeDays: 3, cycleDay: 5, minPayoutFen: 10_000 }),
        }}
        toInput={(values) => ({ ...values, ruleType })}
        success="新增成功!"
      />
    );
  const { id, version, status: _status, ...initial } = row;
  return (
    <FormDrawer<typeof modifySettlementRule, Values>
      {...common}
      title={isNext ? `${row.ruleCode} 新版本` : `编辑规则 ${row.ruleCode}`}
      call={modifySettlementRule}
      recordKey={id}
      initial={{
        ruleName: initial.ruleName,
        effectiveFrom: isNext ? tomorrow : initial.effectiveFrom,
        effectiveTo: isNext ? null : initial.effectiveTo,
        doctorId: initial.doctorId,
        channelId: initial.channelId,
        serviceItemId: initial.serviceItemId,
        serviceType: initial.serviceType,
        doctorTitle: initial.doctorTitle,
        hospitalLevel: initial.hospitalLevel,
        incomeType: initial.incomeType,
        baseType: initial.baseType,
        ratioBp: initial.ratioBp,
        fixedFen: initial.fixedFen,
        capFen: initial.capFen,
        freezeDays: initial.freezeDays,
        cycleDay: initial.cycleDay,
        minPayoutFen: initial.minPayoutFen,
        payerEntityId: initial.payerEntityId,
        testCases: initial.testCases,
      }}
      toInput={(values) => ({ ...values, ruleType, id, version })}
      success="修改成功!"
    />
  );
}
