import { Button, Form, InputNumber } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { keysOf } from '#kernel/contract/field.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  engineSettings,
  modifyEngineSetting,
  queryEngineState,
  type EngineSettings,
  type EngineState,
} from '../../contract/engine/engineCalls.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';

const help: Readonly<Record<keyof EngineSettings, string>> = {
  capPerDay: '同一患者一天内最多收到的随访消息，跨全部场景计算',
  cap7Days: '同一患者连续7天内最多收到的随访消息',
  sameMaterialGapDays: '同一素材这么多天内不再发给同一患者；周期消息不受限',
  ratePerSecond: '每个进程每秒最多发送的消息数',
  breakerWindow: '观察最近这么多条发送结果',
  breakerFailBp: '失败或结果未知的比例超过此值时自动停发；2000表示20%',
};

/** 引擎参数. */
export function SettingForm({ setting }: { setting: EngineState['setting'] }) {
  const readOnly = !useMay()(may['engine.setting']);
  const [form] = Form.useForm<EngineSettings>();
  const command = useFormCommand<typeof modifyEngineSetting, EngineSettings>({
    call: modifyEngineSetting,
    form,
    toInput: (values) => ({ ...values, version: setting.version }),
    success: SERVER_MESSAGE,
    refreshes: [queryEngineState],
  });
  return (
    <FormFrame<EngineSettings>
      form={form}
      initial={setting}
      alert={command.alert}
      layout="vertical"
      disabled={readOnly || command.flying}
      onSubmit={(values) => void command.submit(values)}
    >
      <div className="kq-engine-setting">
        {keysOf(engineSettings.shape).map((name) => (
          <Field key={name} of={modifyEngineSetting} name={name} extra={help[name]}>
            <InputNumber precision={0} className="kq-wide" />
          </Field>
        ))}
      </div>
      {!readOnly && (
        <Button type="primary" htmlType="submit" loading={command.flying} disabled={command.busy}>
          保存
        </Button>
      )}
    </FormFrame>
  );
}
