import { Form, Select, type FormInstance } from 'antd';
import { againstListed } from '#kernel/web/form/formRules.ts';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import { objectTypes, type ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import {
  addMarkRule,
  modifyMarkRule,
  queryMarkRuleList,
  queryMarkVariableList,
  ruleLabels,
  type RuleRow,
} from '../../contract/rules/calls.ts';
import { faultOfRows, type ConditionRow } from '../../contract/rules/conditions.ts';
import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Conditions } from './Conditions.tsx';
import './rules.css';

type Values = InputOf<typeof addMarkRule>;
const refreshes = [queryMarkRuleList];
/** Kinds of things whose owners answer what rules ask. */
const ruled: readonly ObjectTypeCode[] = ['PATIENT', 'DOCTOR', 'MEDICINE'];

function MarkChoice({ objectType }: { objectType: ObjectTypeCode }) {
  const groups = useData(queryTagGroupList, { objectType }, { quiet: true });
  const options = (groups.data ?? [])
    .filter(({ state }) => state === 'ENABLED')
    .map((group) => ({
      label: group.groupName,
      options: group.marks.filter(({ state }) => state === 'ENABLED').map(({ id, markName }) => ({ value: id, label: markName })),
    }))
    .filter((group) => group.options.length > 0);
  return (
    <Field of={addMarkRule} name="markId">
      <Select
        placeholder="请选择"
        options={options}
        showSearch={{ optionFilterProp: 'label' }}
        notFoundContent={<NoChoices of={groups} none="没有启用的标签" />}
      />
    </Field>
  );
}

function Fields({ objectType }: { objectType: ObjectTypeCode }) {
  const asked = useData(queryMarkVariableList, { objectType }, { quiet: true });
  const variables = asked.data ?? [];
  return (
    <>
      <MarkChoice objectType={objectType} />
      <Field
        of={addMarkRule}
        name="conditions"
        extra="组内条件同时满足，任一组满足即打标"
        validateTrigger={[]}
        rules={[
          againstListed((rows: readonly ConditionRow[] = []) => {
            const fault = faultOfRows(rows, (code) => variables.find((variable) => variable.code === code));
            if (!fault) return null;
            return fault === 'INCOMPLETE' ? '条件不完整' : ruleTexts[fault];
          }),
        ]}
      >
        {asked.data ? <Conditions variables={variables} /> : <Waiting for={asked} />}
      </Field>
      <Field of={addMarkRule} name="removeWhenFalse" extra="条件不再满足时移除本规则打上的标签，手工打的不受影响" />
      <Field of={addMarkRule} name="schedule" extra="实时：相关数据变化时执行；发布时均会执行一次" />
    </>
  );
}

function TypeChoice({ value, onChange }: { value: ObjectTypeCode; onChange(code: ObjectTypeCode): void }) {
  return (
    <Form.Item label="对象">
      <Select<ObjectTypeCode>
        aria-label="对象"
        value={value}
        options={ruled.map((code) => ({ value: code, label: objectTypes.label(code) }))}
        onChange={onChange}
      />
    </Form.Item>
  );
}

/** Drawer 新增/编辑打标规则. */
export function RuleForm({ rule, onClose }: { rule: RuleRow | null; onClose(): void }) {
  const [form]: [FormInstance<Values>] = Form.useForm<Values>();
  const [objectType, setObjectType] = useState<ObjectTypeCode>(rule?.objectType ?? 'PATIENT');
  const shared = { open: true, onClose, refreshes, labels: ruleLabels, width: 720, form } as const;
  if (rule === null)
    return (
      <FormDrawer<typeof addMarkRule, Values>
        {...shared}
        title="新增打标规则"
        call={addMarkRule}
        initial={{ conditions: [], removeWhenFalse: true, schedule: 'DAILY' }}
        success={SERVER_MESSAGE}
      >
        <TypeChoice
          value={objectType}
          onChange={(code) => {
            setObjectType(code);
            form.setFieldValue('conditions', []);
            form.resetFields(['markId']);
          }}
        />
        <Fields objectType={objectType} />
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyMarkRule, Values>
      {...shared}
      title={`编辑打标规则：${rule.ruleNo}`}
      call={modifyMarkRule}
      recordKey={rule.id}
      initial={{ markId: rule.markId, conditions: rule.conditions, removeWhenFalse: rule.removeWhenFalse, schedule: rule.schedule }}
      toInput={(values) => ({ ...values, id: rule.id, version: rule.version })}
      success="修改成功!"
    >
      <Fields objectType={objectType} />
    </FormDrawer>
  );
}
