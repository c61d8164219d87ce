import { Input, InputNumber } from 'antd';
import type { ComponentProps } from 'react';
import type * as z from 'zod/mini';
import type { Call } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';

type Of = Call | z.ZodMiniType;
type FieldProps<S extends Of> = ComponentProps<typeof Field<S>>;

/** A whole number with its unit; how small and great it may be is the contract's. */
export function CountField<S extends Of>({ unit, placeholder, ...field }: Omit<FieldProps<S>, 'children'> & { unit?: string }) {
  return (
    <Field<S> {...field}>
      <InputNumber className="kq-wide" precision={0} {...(unit && { suffix: unit })} {...(placeholder && { placeholder })} />
    </Field>
  );
}

/** A text over a few lines that counts its characters. */
export function LinesField<S extends Of>({ rows = 2, placeholder, ...field }: Omit<FieldProps<S>, 'children'> & { rows?: number }) {
  return (
    <Field<S> {...field}>
      <Input.TextArea rows={rows} showCount {...(placeholder && { placeholder })} />
    </Field>
  );
}
