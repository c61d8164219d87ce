import { Form, Input, Select, Switch } from 'antd';
import type { FormInstance, FormItemProps } from 'antd';
import { lazy, Suspense, useRef, type ComponentProps, type ReactNode } from 'react';
import type * as z from 'zod/mini';
import type { Call } from '../../contract/call.ts';
import { fieldFacts, shapeOf, type FieldFacts } from '../../contract/field.ts';
import { rulesOf } from '../../contract/between.ts';
import { emptyOf, faultBetween, faultOf, faultOfList, isEmpty, limitsOf } from '../../contract/fieldRules.ts';
import { MoneyInput } from '../kit/MoneyInput.tsx';
import { TypedFault } from './typedFault.ts';
import { verbOf, bounded, isTicked, renamed, sentOf } from './fieldControl.ts';
import { NumberInput } from '../kit/NumberInput.tsx';

/** A text that may be longer than this is written over several lines. */
const ONE_LINE = 200;

type ShapeOf<S> = S extends Call<infer I> ? z.input<I> : S extends z.ZodMiniType ? z.input<S> : never;

/** What stays antd's: how the item looks, when it is checked, what is shown beside it. */
type ItemProps = Pick<
  FormItemProps,
  | 'getValueProps'
  | 'normalize'
  | 'extra'
  | 'tooltip'
  | 'help'
  | 'validateStatus'
  | 'validateTrigger'
  | 'dependencies'
  | 'className'
  | 'style'
  | 'hidden'
  | 'noStyle'
>;

interface FieldProps<S extends Call | z.ZodMiniType> extends ItemProps {
  /** The call that the form sends, or the object schema of a part of it. */
  of: S;
  name: keyof ShapeOf<S> & string;
  /** Path of the part in the form's values: `['account']`. */
  within?: readonly (string | number)[];
  /** Instead of the contract's. */
  label?: ReactNode;
  placeholder?: string;
  /** The page demands more than the call does. */
  required?: boolean;
  /** Has the mark of what must be filled in: a rule between fields demands it, or what stands for it. */
  starred?: boolean;
  /** Further rules, of what no schema knows: the record as it stands, what the server lists, the time now (`formRules.ts`). */
  rules?: NonNullable<FormItemProps['rules']>;
  /** A control of its own, where the kind of the value does not say which; bounds that it does not name are the contract's. */
  children?: ReactNode;
}

const DayInput = lazy(() => import('./DayInput.tsx'));
const MonthInput = lazy(() => import('./MonthInput.tsx'));

/** Takes value, id and change from its form item. */
const DayControl = (props: { placeholder?: string; 'aria-required'?: boolean }) => (
  <Suspense fallback={<Input disabled aria-required={props['aria-required']} />}>
    <DayInput {...props} />
  </Suspense>
);

const MonthControl = (props: { placeholder?: string; 'aria-required'?: boolean }) => (
  <Suspense fallback={<Input disabled aria-required={props['aria-required']} />}>
    <MonthInput {...props} />
  </Suspense>
);

/** Control of a field by the kind of its value. */
function controlOf(facts: FieldFacts | undefined, schema: z.ZodMiniType, placeholder: string | undefined, required: boolean): ReactNode {
  const { maxLength, least, most } = limitsOf(schema);
  const hint = placeholder ?? facts?.example;
  const options = facts?.dictionary?.options.map(({ value, label }) => ({ value, label })) ?? [];
  switch (facts?.kind) {
    case 'dict':
      return <Select placeholder={hint ?? '请选择'} options={options} allowClear={!required} showSearch={{ optionFilterProp: 'label' }} />;
    case 'dicts':
      return <Select mode="multiple" placeholder={hint ?? '请选择'} options={options} optionFilterProp="label" maxTagCount="responsive" />;
    case 'flag':
      return <Switch />;
    case 'day':
      return <DayControl {...(hint && { placeholder: hint })} />;
    case 'month':
      return <MonthControl {...(hint && { placeholder: hint })} />;
    case 'money':
      return <MoneyInput {...(hint && { placeholder: hint })} />;
    case 'number':
      return (
        <NumberInput
          className="kq-wide"
          {...(hint && { placeholder: hint })}
          {...(least !== undefined && { min: least })}
          {...(most !== undefined && { max: most })}
        />
      );
    default:
      return maxLength !== undefined && maxLength > ONE_LINE ? (
        <Input.TextArea rows={3} count={{ max: maxLength, show: true }} placeholder={hint} />
      ) : (
        <Input {...(maxLength !== undefined && { count: { max: maxLength } })} placeholder={hint} />
      );
  }
}

/** What the contract says between the fields of a part of the form, told at this one. */
function betweenFields(schema: z.ZodMiniType, name: string, within: readonly (string | number)[]) {
  const reads = rulesOf(schema).flatMap(({ reads: read, at }) => (at === name ? read : []));
  const others = [...new Set(reads)].filter((other) => other !== name);
  const shape = shapeOf(schema);
  return {
    dependencies: others.map((other) => [...within, other]),
    fault: ({ getFieldsValue, getFieldValue }: Pick<FormInstance, 'getFieldsValue' | 'getFieldValue'>): string | null => {
      if (reads.length === 0) return null;
      const values: unknown = within.length === 0 ? getFieldsValue(true) : getFieldValue([...within]);
      const given = Object.entries(typeof values === 'object' && values !== null ? values : {});
      const sent = given.flatMap(([key, value]) => (shape[key] ? [[key, sentOf(shape[key], value)] as const] : []));
      return faultBetween(schema, name, Object.fromEntries(sent));
    },
  };
}

const inputOf = (of: Call | z.ZodMiniType): z.ZodMiniType => ('input' in of ? of.input : of);

interface FieldListProps<S extends Call | z.ZodMiniType> extends Pick<ComponentProps<typeof Form.List>, 'children'> {
  of: S;
  name: keyof ShapeOf<S> & string;
  within?: readonly (string | number)[];
  /** The page demands one at least, and says so in this sentence. */
  missing?: string;
}

/** A list of a form whose items are fields of their own: how many there may be, and what is to hold between them, is the contract's. */
export function FieldList<S extends Call | z.ZodMiniType>({ of, name, within = [], missing, children }: FieldListProps<S>) {
  const form = Form.useFormInstance();
  const schema = shapeOf(inputOf(of))[name];
  if (!schema) throw new Error(`The call takes no field ${name}`);
  const label = fieldFacts(schema)?.label ?? name;
  const between = betweenFields(inputOf(of), name, within);
  return (
    <Form.List
      name={[...within, name]}
      rules={[
        {
          validator: async (_rule, value: unknown) => {
            const none = missing !== undefined && isEmpty(value) ? missing : null;
            const fault = none ?? faultOfList(schema, value, label, '选择') ?? between.fault(form);
            if (fault !== null) throw new Error(fault);
          },
        },
      ]}
    >
      {children}
    </Form.List>
  );
}

/**
 * One field of a form: label, rule, maximum, required mark and, where nothing else is given, its control come from the
 * schema of the call, so that what the form lets through the server takes.
 */
export function Field<S extends Call | z.ZodMiniType>({
  of,
  name,
  within = [],
  label,
  placeholder,
  required = false,
  starred = false,
  rules = [],
  dependencies = [],
  children,
  ...rest
}: FieldProps<S>) {
  const schema = shapeOf(inputOf(of))[name];
  if (!schema) throw new Error(`The call takes no field ${name}`);
  const facts = fieldFacts(schema);
  // A unit or hint in brackets is no part of the name that a sentence calls it by.
  const words = typeof label === 'string' && label.trim() !== '' ? label.replace(/（[^）]*）$/, '') : (facts?.label ?? name);
  const demanded = required || emptyOf(schema).required;
  const own = children === undefined ? controlOf(facts, schema, placeholder, demanded) : bounded(children, schema);
  const verb = verbOf(own, facts?.kind);
  const between = betweenFields(inputOf(of), name, within);
  const typed = useRef<string | null>(null);
  return (
    <TypedFault value={typed}>
      <Form.Item
        name={[...within, name]}
        label={label ?? facts?.label ?? name}
        {...((demanded || starred) && { required: facts?.kind !== 'flag' })}
        dependencies={[...dependencies, ...between.dependencies]}
        rules={[
          (form) => ({
            validator: async (_rule, value: unknown) => {
              if (typed.current !== null) throw new Error(typed.current);
              const missing = required && isEmpty(value) ? `请${verb}${words}` : null;
              const fault = faultOf(schema, sentOf(schema, value), words, verb) ?? between.fault(form) ?? missing;
              if (fault !== null) throw new Error(facts === undefined ? fault : renamed(fault, facts.label, words));
            },
          }),
          ...rules,
        ]}
        {...(facts?.kind === 'flag' && isTicked(own) && { valuePropName: 'checked' })}
        {...rest}
      >
        {own}
      </Form.Item>
    </TypedFault>
  );
}
