import { Input, InputNumber } from 'antd';
import type { ComponentProps } from 'react';
import type * as z from 'zod/mini';
import type { Call } from '../../../../kernel/contract/call.ts';
import { shapeOf } from '../../../../kernel/contract/field.ts';
import { limitsOf } from '../../../../kernel/contract/fieldRules.ts';
import { Field } from '../../../../kernel/web/form/Field.tsx';

type Of = Call | z.ZodMiniType;
type FieldProps<S extends Of> = ComponentProps<typeof Field<S>>;

function boundsOf(of: Of, name: string) {
  const schema = shapeOf('input' in of ? of.input : of)[name];
  return schema ? limitsOf(schema) : {};
}

/** A whole number with its unit; how small and great it may be is the contract's. */
export function CountField<S extends Of>({ unit, placeholder, ...field }: Omit<FieldProps<S>, 'children'> & { unit?: string }) {
  const { least, most } = boundsOf(field.of, field.name);
  return (
    <Field<S> {...field}>
      <InputNumber
        className="kq-wide"
        precision={0}
        {...(least !== undefined && { min: least })}
        {...(most !== undefined && { max: most })}
        {...(unit && { suffix: unit })}
        {...(placeholder && { placeholder })}
      />
    </Field>
  );
}

/** A text over a few lines that counts its characters. */
export function LinesField<S extends Of>({ rows = 2, placeholder, ...field }: Omit<FieldProps<S>, 'children'> & { rows?: number }) {
  const { maxLength } = boundsOf(field.of, field.name);
  return (
    <Field<S> {...field}>
      <Input.TextArea rows={rows} showCount {...(maxLength !== undefined && { maxLength })} {...(placeholder && { placeholder })} />
    </Field>
  );
}
