import { Button, Drawer, Form, Modal } from 'antd';
import type { FormInstance, FormProps } from 'antd';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import type { Call, InputOf } from '../../contract/call.ts';
import { DIALOG_TITLE, DIALOG_WIDTH } from '../feedback/dialogs.tsx';
import { confirmLeaving } from '../tabs/unsaved.ts';
import { FormFrame } from './FormFrame.tsx';
import { useFormCommand } from './useFormCommand.tsx';
import type { FormCommandOptions } from './useFormCommand.tsx';

export interface FormPanelProps<C extends Call, Values extends object> extends Omit<FormCommandOptions<C, Values>, 'form' | 'toInput'> {
  /** The call's input for the form's values; absent: the values themselves. `saves`: the button of `saveText` was used. */
  toInput?(values: Values, saves: boolean): InputOf<C>;
  open: boolean;
  title?: string;
  width?: number | string;
  initial?: Partial<Values>;
  /** Names the edited record; another one fills the fields anew. */
  recordKey?: string | number;
  onClose(): void;
  /** Text of the submit button; default 确定. */
  submitText?: string;
  /** A second button: what is entered is saved and not submitted yet. */
  saveText?: string;
  layout?: 'vertical' | 'horizontal';
  form?: FormInstance<Values>;
  onValuesChange?: FormProps<Values>['onValuesChange'];
  onFaulty?(names: readonly string[]): void;
  /** Left of the buttons. */
  footer?: ReactNode;
  children: ReactNode;
}

function usePanel<C extends Call, Values extends object>(props: FormPanelProps<C, Values>) {
  const [own] = Form.useForm<Values>();
  const form = props.form ?? own;
  const dirty = useRef(false);
  const { onDone, onClose, toInput, ...options } = props;
  // Said anew by whatever submits: a try that was refused leaves nothing behind for the next one.
  const saves = useRef(false);
  const send = (saving: boolean) => {
    saves.current = saving;
    form.submit();
  };
  const command = useFormCommand<C, Values>({
    ...options,
    ...(toInput && { toInput: (values: Values) => toInput(values, saves.current) }),
    form,
    onDone: (answer) => {
      dirty.current = false;
      onDone?.(answer);
      onClose();
    },
  });
  const close = async () => {
    if (command.flying || (dirty.current && !(await confirmLeaving()))) return;
    dirty.current = false;
    onClose();
  };
  const body = (
    <FormFrame<Values>
      form={form}
      {...(props.initial && { initial: props.initial })}
      recordKey={props.recordKey}
      alert={command.alert}
      layout={props.layout ?? 'vertical'}
      disabled={command.flying}
      onSubmit={(values) => void command.submit(values)}
      onDirty={(value) => (dirty.current = value)}
      {...(props.onValuesChange && { onValuesChange: props.onValuesChange })}
      {...(props.onFaulty && { onFaulty: props.onFaulty })}
      submit={() => send(false)}
    >
      {props.children}
    </FormFrame>
  );
  const buttons = (
    <div className="kq-form-foot">
      <span>{props.footer}</span>
      <Button onClick={() => void close()} disabled={command.flying}>
        取消
      </Button>
      {props.saveText !== undefined && (
        <Button disabled={command.busy} onClick={() => send(true)}>
          {props.saveText}
        </Button>
      )}
      <Button type="primary" loading={command.flying} disabled={command.busy} onClick={() => send(false)}>
        {props.submitText ?? '确定'}
      </Button>
    </div>
  );
  return { body, buttons, close };
}

/** A form in a drawer (640 px): inline refusals, conflict dialog, guard, no double submit. */
export function FormDrawer<C extends Call, Values extends object>(props: FormPanelProps<C, Values>) {
  const { body, buttons, close } = usePanel(props);
  return (
    <Drawer
      open={props.open}
      title={props.title}
      size={props.width ?? 640}
      onClose={() => void close()}
      destroyOnHidden
      footer={buttons}
      mask={{ closable: false }}
    >
      {body}
    </Drawer>
  );
}

/** The same in a dialog: 30 % wide and titled 提示 unless the page says more. */
export function FormDialog<C extends Call, Values extends object>(props: FormPanelProps<C, Values>) {
  const { body, buttons, close } = usePanel(props);
  return (
    <Modal
      open={props.open}
      title={props.title ?? DIALOG_TITLE}
      width={props.width ?? DIALOG_WIDTH}
      className="kq-dialog"
      onCancel={() => void close()}
      destroyOnHidden
      footer={buttons}
      mask={{ closable: false }}
    >
      {body}
    </Modal>
  );
}
