import { Input, Select, Switch } from 'antd';
import { lazy, Suspense, type ReactNode } from 'react';
import type * as z from 'zod/mini';
import { factsOf, shapeOf } from '#kernel/contract/field.ts';
import { emptyOf, limitsOf } from '#kernel/contract/fieldRules.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import './sheet.css';

const DayInput = lazy(() => import('#kernel/web/form/DayInput.tsx'));

interface FrameProps {
  label: string;
  required?: boolean;
  fault?: string | undefined;
  wide?: boolean;
  /** Found by the list of what is wrong. */
  path?: string;
  children: ReactNode;
}

/** A field of a document that is edited as a whole, with what is wrong with it. */
export function FieldFrame({ label, required = false, fault, wide = false, path, children }: FrameProps) {
  return (
    <div className={wide ? 'ins-field ins-field-wide' : 'ins-field'} {...(path !== undefined && { 'data-path': path })}>
      <span>
        {required && <b className="ins-must">* </b>}
        {label}
      </span>
      {children}
      {fault !== undefined && <em>{fault}</em>}
    </div>
  );
}

interface ValueFieldProps<T extends object> {
  of: z.ZodMiniType;
  value: T;
  name: keyof T & string;
  onChange(patch: Partial<T>): void;
  /** Where the object stands in its document: `benefits.0`. */
  at?: string;
  faultOf?(path: string): string | undefined;
  /** Fewer choices than its dictionary has. */
  only?: readonly string[];
  wide?: boolean;
  placeholder?: string;
}

/** One field of an object by its schema: label, control and bounds are the contract's. */
export function ValueField<T extends object>({ of, value, name, onChange, at, faultOf, only, wide, placeholder }: ValueFieldProps<T>) {
  const facts = factsOf(of, name);
  const schema = shapeOf(of)[name]!;
  const path = at === undefined || at === '' ? name : `${at}.${name}`;
  const fault = faultOf?.(path);
  const { maxLength, least, most } = limitsOf(schema);
  const held: unknown = value[name];
  const put = (next: unknown) => {
    const patch: Partial<T> = {};
    // The control was chosen by the very schema that the value belongs to.
    Object.assign(patch, { [name]: next });
    onChange(patch);
  };
  const status = fault === undefined ? {} : { status: 'error' as const };
  const choices = (facts.dictionary?.options ?? [])
    .filter(({ value: code }) => only === undefined || only.includes(code))
    .map(({ value: code, label }) => ({ value: code, label }));
  const control = (() => {
    switch (facts.kind) {
      case 'dict':
        return (
          <Select
            aria-label={facts.label}
            {...status}
            value={typeof held === 'string' ? held : null}
            options={choices}
            placeholder="请选择"
            onChange={put}
          />
        );
      case 'dicts':
        return (
          <Select<string[]>
            aria-label={facts.label}
            mode="multiple"
            {...status}
            maxTagCount="responsive"
            optionFilterProp="label"
            value={Array.isArray(held) ? held.map(String) : []}
            options={choices}
            placeholder={placeholder ?? '请选择'}
            onChange={put}
          />
        );
      case 'flag':
        return (
          <span>
            <Switch aria-label={facts.label} checked={held === true} onChange={put} />
          </span>
        );
      case 'day':
        return (
          <Suspense fallback={<Input disabled />}>
            <DayInput
              aria-label={facts.label}
              value={typeof held === 'string' ? held : null}
              placeholder={placeholder ?? '请选择日期'}
              onChange={put}
            />
          </Suspense>
        );
      case 'money':
        return (
          <MoneyInput
            aria-label={facts.label}
            value={typeof held === 'number' ? held : null}
            placeholder={placeholder ?? '不限'}
            onChange={put}
          />
        );
      case 'rate':
        return (
          <NumberInput
            aria-label={facts.label}
            className="kq-wide"
            {...status}
            min={0}
            max={100}
            precision={2}
            suffix="%"
            value={typeof held === 'number' ? held / 100 : null}
            onChange={(next) => put(next === null ? null : Math.round(Number(next) * 100))}
          />
        );
      case 'number':
        return (
          <NumberInput
            aria-label={facts.label}
            className="kq-wide"
            {...status}
            precision={0}
            {...(least !== undefined && { min: least })}
            {...(most !== undefined && { max: most })}
            value={typeof held === 'number' ? held : null}
            placeholder={placeholder ?? ''}
            onChange={put}
          />
        );
      default:
        return Array.isArray(held) ? (
          <Select<string[]>
            aria-label={facts.label}
            mode="tags"
            {...status}
            open={false}
            suffixIcon={null}
            tokenSeparators={[',', '，', ' ', '、']}
            value={held.map(String)}
            placeholder={placeholder ?? '输入后回车'}
            onChange={put}
          />
        ) : (
          <TextInput
            aria-label={facts.label}
            {...status}
            most={maxLength}
            value={typeof held === 'string' ? held : ''}
            placeholder={placeholder}
            onChange={({ target }) => put(target.value)}
          />
        );
    }
  })();
  return (
    <FieldFrame
      label={facts.label}
      required={emptyOf(schema).required && facts.kind !== 'flag'}
      fault={fault}
      path={path}
      {...(wide && { wide })}
    >
      {control}
    </FieldFrame>
  );
}
