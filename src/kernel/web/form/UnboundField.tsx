import { Form } from 'antd';
import type { FormItemProps } from 'antd';
import { cloneElement, useId } from 'react';
import type { ReactElement } from 'react';

interface UnboundFieldProps extends Omit<FormItemProps, 'name' | 'htmlFor' | 'children'> {
  label: string;
  /** One control that takes an `id`. */
  children: ReactElement<{ id?: string }>;
}

/** A field whose value the page keeps instead of the form: its label belongs to the control all the same. */
export function UnboundField({ children, ...rest }: UnboundFieldProps) {
  const id = useId();
  return (
    <Form.Item {...rest} htmlFor={id}>
      {cloneElement(children, { id })}
    </Form.Item>
  );
}
