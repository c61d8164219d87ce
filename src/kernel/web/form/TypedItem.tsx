import { Form, type FormItemProps } from 'antd';
import { useRef } from 'react';
import { asHeld } from './formRules.ts';
import { TypedFault } from './typedFault.ts';

/** A form item of a value that no call declares: what its control could not read stops the form, as it does in a `Field`. */
export function TypedItem({ rules = [], ...rest }: FormItemProps) {
  const typed = useRef<string | null>(null);
  return (
    <TypedFault value={typed}>
      <Form.Item validateFirst rules={[asHeld(() => typed.current), ...rules]} {...rest} />
    </TypedFault>
  );
}
