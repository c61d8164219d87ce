import { Alert, Button, Drawer, Form, Input, InputNumber } from 'antd';
import { Suspense, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import { addQrBatch, queryQrBatchList } from '../../contract/calls/codes.ts';
import { targetTypes } from '../../contract/dictionaries.ts';
import { CodeStyleFields } from '../shared/codeStyle.ts';
import { styleOf, styleValues, type StyleValues } from '../shared/styleValues.ts';
import { RefSelect } from '../shared/RefSelect.tsx';
import { contentOf, TargetFields, type ContentValues } from '../shared/TargetFields.tsx';
import { addQrCode } from '../../contract/calls/codes.ts';

interface Values extends ContentValues {
  channelId: string;
  name: string;
  mode: 'COUNT' | 'LIST';
  quantity?: number;
  fileId?: readonly UploadedFile[];
  namePattern: string;
  style: StyleValues;
}

const inputOf = (values: Values) => ({
  name: values.name,
  mode: values.mode,
  quantity: values.mode === 'COUNT' ? (values.quantity ?? null) : null,
  fileId: values.mode === 'LIST' ? (values.fileId?.[0]?.fileId ?? null) : null,
  template: { channelId: values.channelId, ...contentOf(values), style: styleOf(values.style) },
  namePattern: values.namePattern,
});

const STEPS = ['内容', '样式', '数量或清单', '确认'];

/** Wizard 批量生成. */
export function BatchWizard({ channelId, onClose }: { channelId: string | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [step, setStep] = useState(0);
  const [touched, setTouched] = useState(false);
  const close = useLeaving(touched, onClose);
  const command = useFormCommand<typeof addQrBatch, Values>({
    call: addQrBatch,
    form,
    toInput: inputOf,
    success: '已开始生成，可离开页面稍后回来下载',
    refreshes: [queryQrBatchList],
    onDone: onClose,
  });
  const mode = Form.useWatch('mode', form);
  const next = async () => {
    await form.validateFields({ recursive: true });
    setStep(step + 1);
  };
  const values = form.getFieldsValue(true) as Values;
  /** A refused field may stand on a step that is not shown. */
  const showFault = () => {
    const fault = form.getFieldsError().find(({ errors }) => errors.length > 0)?.name[0];
    if (fault !== undefined) setStep(fault === 'style' ? 1 : ['mode', 'fileId', 'quantity', 'namePattern'].includes(String(fault)) ? 2 : 0);
  };
  const shown = (index: number) => ({ display: step === index ? 'block' : 'none' });
  return (
    <Drawer
      open
      title="批量生成二维码"
      size={820}
      onClose={close}
      mask={{ closable: false }}
      footer={
        <div className="kq-form-foot">
          <span />
          <Button onClick={close}>取消</Button>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
          {step < STEPS.length - 1 ? (
            <Button type="primary" onClick={() => void next().catch(() => {})}>
              下一步
            </Button>
          ) : (
            <Button type="primary" loading={command.flying} disabled={command.busy} onClick={() => form.submit()}>
              开始生成
            </Button>
          )}
        </div>
      }
    >
      <ol className="ch-stage">
        {STEPS.map((title, index) => (
          <li key={title} {...(index === step && { 'aria-current': 'step' as const })}>
            {title}
          </li>
        ))}
      </ol>
      {command.alert && <Alert type="error" showIcon title={command.alert} className="kq-form-alert" />}
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={{
          ...(channelId && { channelId }),
          target: { type: 'H5' },
          style: styleValues(),
          mode: 'COUNT',
          quantity: 100,
          namePattern: '{批次}-{序号4}',
        }}
        onValuesChange={() => setTouched(true)}
        onFinish={() => void command.submit(form.getFieldsValue(true) as Values).then(showFault)}
      >
        <div style={shown(0)}>
          <div className="ch-two">
            <Field of={addQrBatch} name="name">
              <Input showCount />
            </Field>
            <Field of={addQrCode} name="channelId">
              <RefSelect type="CHANNEL" />
            </Field>
          </div>
          <TargetFields />
        </div>
        <div style={shown(1)}>
          <Suspense fallback={<div className="kq-loading" />}>
            <CodeStyleFields />
          </Suspense>
        </div>
        <div style={shown(2)}>
          <Field of={addQrBatch} name="mode" />
          {mode === 'LIST' ? (
            <Field
              of={addQrBatch}
              name="fileId"
              required={step === 2}
              extra="表头：名称（必填）、渠道编号、参数（如 store=12;floor=1），最多5000行"
            >
              <Upload purpose="IMPORT" max={1} />
            </Field>
          ) : (
            <>
              <Field of={addQrBatch} name="quantity" required>
                <InputNumber min={1} max={5000} precision={0} />
              </Field>
              <Field of={addQrBatch} name="namePattern" extra="{批次}为批次名称，{序号4}为四位序号" required />
            </>
          )}
        </div>
        {step === 3 && (
          <Alert
            type="info"
            showIcon
            title={`将生成“${values.name}”`}
            description={
              <>
                <p>
                  目标：{targetTypes.label(values.target.type)} {values.target.url ?? ''}
                </p>
                <p>{values.mode === 'COUNT' ? `数量：${values.quantity ?? 0} 个` : `按清单：${values.fileId?.[0]?.fileName ?? ''}`}</p>
                <p>尺寸：{values.style.sizePx} 像素；生成后可下载压缩包，保留7天。</p>
              </>
            }
          />
        )}
      </Form>
    </Drawer>
  );
}
