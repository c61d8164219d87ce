import { Alert, Form } from 'antd';
import type { FormInstance, FormProps } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useKeys } from '../keyboard/keys.ts';
import { useUnsaved } from '../tabs/page.tsx';
import { HoldContext, holdText, type Hold } from './holds.ts';

interface FormFrameProps<Values extends object> {
  form: FormInstance<Values>;
  initial?: Partial<Values>;
  /** Changes when another record is edited; the fields are filled anew. */
  recordKey?: string | number | undefined;
  alert: string | null;
  onSubmit(values: Values): void;
  onDirty?(dirty: boolean): void;
  onValuesChange?: FormProps<Values>['onValuesChange'];
  /** First names of fields in which something is wrong now: a form of several steps shows the step. */
  onFaulty?(names: readonly string[]): void;
  /** Ctrl+Enter; default: the form is submitted. */
  submit?(): void;
  layout?: 'vertical' | 'horizontal';
  disabled?: boolean;
  children: ReactNode;
}

/** The form inside drawers, dialogs and form pages: guard for unsaved edits, Ctrl+Enter submits. */
export function FormFrame<Values extends object>({
  form,
  initial,
  recordKey,
  alert,
  onSubmit,
  onDirty,
  onValuesChange,
  onFaulty,
  submit = () => form.submit(),
  layout = 'vertical',
  disabled = false,
  children,
}: FormFrameProps<Values>) {
  const [dirty, setDirty] = useState(false);
  useUnsaved(dirty);
  const [holds, setHolds] = useState<ReadonlyMap<string, Hold>>(new Map());
  const hold = useCallback(
    (field: string, state: Hold | null) =>
      setHolds((before) => new Map(state ? [...before, [field, state]] : [...before].filter(([other]) => other !== field))),
    [],
  );
  const held = holdText(holds.values());
  // Told only to who tried; it goes when the files are there.
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (held === null) setTried(false);
  }, [held]);
  const shown = tried && held ? held : alert;
  const notifyDirty = useRef(onDirty);
  notifyDirty.current = onDirty;
  const filled = useRef<{ form: FormInstance<Values>; recordKey: string | number | undefined } | null>(null);
  useEffect(() => {
    // Filled anew for another record only: neither a parent's render nor a hidden page that is shown again throws edits away.
    if (filled.current?.form === form && filled.current.recordKey === recordKey) return;
    filled.current = { form, recordKey };
    form.resetFields();
    setDirty(false);
    notifyDirty.current?.(false);
  }, [form, recordKey]);
  useKeys([{ keys: 'Ctrl+Enter', label: '提交表单', act: submit, inFields: true }]);
  return (
    <Form<Values>
      form={form}
      layout={layout}
      disabled={disabled}
      requiredMark
      {...(initial && { initialValues: initial })}
      scrollToFirstError={{ block: 'center', focus: true }}
      onFinish={(values) => (held === null ? onSubmit(values) : setTried(true))}
      onValuesChange={(changed, all) => {
        if (!dirty) {
          setDirty(true);
          onDirty?.(true);
        }
        onValuesChange?.(changed, all);
      }}
      {...(onFaulty && {
        onFieldsChange: (fields: readonly { name: unknown; errors?: readonly string[] }[]) => {
          const names = fields
            .filter(({ errors }) => (errors?.length ?? 0) > 0)
            .flatMap(({ name }): readonly unknown[] => (Array.isArray(name) ? name.slice(0, 1) : [name]));
          if (names.length > 0) onFaulty(names.map(String));
        },
      })}
      {...(layout === 'horizontal' && { labelCol: { flex: '110px' }, wrapperCol: { flex: 1 } })}
    >
      {shown && <Alert type="error" showIcon title={shown} className="kq-form-alert" />}
      <HoldContext.Provider value={hold}>{children}</HoldContext.Provider>
    </Form>
  );
}
