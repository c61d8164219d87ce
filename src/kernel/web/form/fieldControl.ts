import { AutoComplete, Checkbox, Input, Radio, Select, Switch } from 'antd';
import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { unwrapped, type FieldKind } from '../../contract/field.ts';
import { limitsOf } from '../../contract/fieldRules.ts';
import { Upload } from '../files/Upload.tsx';
import { AddressInput } from '../kit/pickers.tsx';
import { MoneyInput } from '../kit/MoneyInput.tsx';
import { NumberInput } from '../kit/NumberInput.tsx';

// What a field's control says of it: whether its value is typed, chosen or uploaded, and the bounds that it keeps to itself.

const TEXTS: readonly unknown[] = [Input, Input.TextArea, Input.Password];
const TYPED: readonly unknown[] = [...TEXTS, NumberInput, MoneyInput, AutoComplete, AddressInput];

const isControl = (control: ReactNode): control is ReactElement<Record<string, unknown>> => isValidElement(control);

const CHOSEN: readonly unknown[] = [Select, Radio.Group];
const NUMBERS: readonly unknown[] = ['number', 'money', 'rate'] satisfies FieldKind[];

/**
 * What somebody does who fills it in, as the refusal of an empty one asks for it. A control that the kernel does not know takes files where
 * it has their purpose, otherwise numbers are typed and everything else is chosen.
 */
export function verbOf(control: ReactNode, kind?: FieldKind): '输入' | '选择' | '上传' {
  if (!isControl(control) || CHOSEN.includes(control.type)) return '选择';
  if (control.type === Upload || 'purpose' in control.props) return '上传';
  return TYPED.includes(control.type) || NUMBERS.includes(kind) ? '输入' : '选择';
}

/** Yes or no: antd keeps its state under another name than other controls. */
export const isTicked = (control: ReactNode): boolean => isControl(control) && (control.type === Switch || control.type === Checkbox);

/** A page's own control with the bounds of the contract, where it names none. */
export function bounded(control: ReactNode, schema: z.ZodMiniType): ReactNode {
  if (!isControl(control)) return control;
  const { maxLength, least, most } = limitsOf(schema);
  if (TEXTS.includes(control.type)) {
    if (maxLength === undefined) return control;
    // Not cut by the browser: what is too long stays to be seen, and the rule says how long it may be.
    return cloneElement(control, {
      ...control.props,
      maxLength: undefined,
      showCount: undefined,
      count: countOf(control.props, maxLength),
    });
  }
  if (control.type !== NumberInput) return control;
  return cloneElement(control, { ...(least !== undefined && { min: least }), ...(most !== undefined && { max: most }), ...control.props });
}

/** The most letters of a text; how many there are is shown where the page asks for it. */
const countOf = ({ showCount }: Record<string, unknown>, max: number) => ({ max, show: showCount === true });

/** A sentence of the contract with the page's word for the field, where the two differ; a shorter word (标题 of 菜单标题) says less. */
export function renamed(sentence: string, contract: string, page: string): string {
  if (contract.endsWith(page)) return sentence;
  const ask = ['', '请输入', '请选择', '请上传'].find((start) => sentence.startsWith(start + contract));
  return ask === undefined ? sentence : ask + page + sentence.slice(ask.length + contract.length);
}

const takesList = (schema: z.ZodMiniType): boolean => {
  if (schema instanceof z.ZodMiniArray) return true;
  const inner = unwrapped(schema);
  return inner !== null && takesList(inner);
};

const idOf = (value: unknown): unknown => (typeof value === 'object' && value !== null && 'fileId' in value ? value.fileId : value);

/**
 * The value as the call takes it: uploaded files stand in the form with their names, the call takes their ids; a control that could hold
 * several holds one in a list of its own.
 */
export function sentOf(schema: z.ZodMiniType, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const ids = value.map(idOf);
  return takesList(schema) ? ids : ids[0];
}
