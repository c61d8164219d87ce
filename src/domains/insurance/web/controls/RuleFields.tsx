import { Form, InputNumber, Segmented, Select, type FormInstance } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { GroupEditor } from '#kernel/web/form/GroupEditor.tsx';
import { capIsQuantity, isFelt, needsProof, reasonWords } from '../../contract/controls/content.ts';
import { capTargetWords, controlModeWords } from '../../contract/controls/dictionaries.ts';
import { addControlRule } from '../../contract/controls/rules.ts';
import { ruleVariables, type ControlStage } from '../../contract/rules/variables.ts';
import { faultText } from './faultText.ts';
import type { RuleValues } from './ruleValues.ts';

const reasons = Object.entries(reasonWords).map(([code, label]) => ({ value: code, label: `${code} ${label}` }));

interface Props {
  form: FormInstance<RuleValues>;
  stage: ControlStage;
  isNew: boolean;
  strict: boolean;
  disabled: boolean;
}

function CapFields({ form, stage, disabled }: Pick<Props, 'form' | 'stage' | 'disabled'>) {
  const target = Form.useWatch('capTarget', form);
  const by = Form.useWatch('capBy', form) ?? 'VALUE';
  const quantity = target !== undefined && capIsQuantity(target);
  const kind = quantity ? 'NUMBER' : 'MONEY';
  return (
    <div className="control-three">
      <Form.Item label="限额对象" name="capTarget" required>
        <Select placeholder="请选择" options={capTargetWords.options.map(({ value, label }) => ({ value, label }))} disabled={disabled} />
      </Form.Item>
      <Form.Item label="限额方式" name="capBy">
        <Segmented
          disabled={disabled}
          options={[
            { value: 'VALUE', label: '固定值' },
            { value: 'VARIABLE', label: '按变量' },
          ]}
        />
      </Form.Item>
      {by === 'VALUE' ? (
        <Form.Item label="限额值" name="capValue" required>
          <InputNumber
            style={{ width: '100%' }}
            min={0}
            max={9_999_999}
            precision={quantity ? 3 : 2}
            suffix={quantity ? '个单位' : '元'}
            disabled={disabled}
          />
        </Form.Item>
      ) : (
        <div className="control-two">
          <Form.Item label="变量" name="capVariable" required>
            <Select
              placeholder="请选择"
              disabled={disabled}
              options={ruleVariables
                .filter((one) => one.kind === kind && one.stages.includes(stage))
                .map(({ code, name }) => ({ value: code, label: name }))}
            />
          </Form.Item>
          <Form.Item label="倍数" name="capFactor">
            <InputNumber style={{ width: '100%' }} min={0.0001} max={100} placeholder="1" disabled={disabled} />
          </Form.Item>
        </div>
      )}
    </div>
  );
}

/** What a version of a rule says. */
export function RuleFields({ form, stage, isNew, strict, disabled }: Props) {
  const mode = Form.useWatch('mode', form) ?? 'MONITOR';
  const variables = ruleVariables.filter(({ stages }) => stages.includes(stage));
  return (
    <>
      <div className="control-three">
        {isNew && <Field of={addControlRule} name="ruleCode" placeholder="如 YLKZ-001" />}
        <Field of={addControlRule} name="ruleName" />
        <Form.Item
          label="控费方式"
          name="mode"
          required
          extra={needsProof(mode) ? '提交前须以相同条件监控运行满7天，或完成历史回放' : undefined}
        >
          <Select options={controlModeWords.options.map(({ value, label }) => ({ value, label }))} disabled={disabled} />
        </Form.Item>
      </div>
      <Form.Item label="条件" required style={{ marginBottom: 16 }}>
        <Form.Item name="expression" noStyle>
          <GroupEditor variables={variables} strict={strict} disabled={disabled} faultText={faultText} />
        </Form.Item>
      </Form.Item>
      {mode === 'CAP' && <CapFields form={form} stage={stage} disabled={disabled} />}
      <div className="control-two">
        <Form.Item label="核减原因" name="reasonCode">
          <Select
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="默认：控费拒绝或控费限额"
            options={reasons}
            disabled={disabled}
          />
        </Form.Item>
        <div className="control-two">
          <Field of={addControlRule} name="effectiveFrom" />
          <Field of={addControlRule} name="effectiveTo" placeholder="不填为长期" />
        </div>
      </div>
      <Field of={addControlRule} name="applicantText" required={isFelt(mode)} extra="向申请人说明为什么限额、挂起或拒绝" />
      <Field of={addControlRule} name="internalNote" />
    </>
  );
}
