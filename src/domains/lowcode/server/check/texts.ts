import { styleNames } from '../../contract/grammar/vocabulary.ts';
import { STRING_LENGTH } from '../../contract/definition.ts';
import { faultOfTemplate } from './expressions.ts';
import { isObject, step, type Findings } from './facts.ts';

const MARKUP = /<[A-Za-z/!]/;
const TAG = /<(\/?)([A-Za-z][\w-]*)([^<>]*)>/g;
const TAGS: ReadonlySet<string> = new Set(['b', 'strong', 'em', 'span', 'br', 'p', 'small']);
const ATTRIBUTES = /^(\s+class="[\w\- ]*")?\s*\/?$/;
const CLASS = /^[\w\- :./]{0,200}$/;
const MOBILE = /(?<!\d)1[3-9]\d{9}(?!\d)/;
const ID_CARD = /(?<!\d)\d{17}[\dXx](?!\d)/;
const BANK_CARD = /(?<!\d)\d{16,19}(?!\d)/;

/**
 * What holds for every string of a definition, whatever stands there.
 * @returns false: it was refused, nothing more is to be said of it
 */
export function checkString(found: Findings, pointer: string, text: string, place: { markup?: boolean; prose?: boolean } = {}): boolean {
  if (text.length > STRING_LENGTH) {
    found.refuse('V01', pointer, `文字最多${STRING_LENGTH}个字符`);
    return false;
  }
  if (text.includes('<%')) {
    found.refuse('V05', pointer, '不能使用<% %>模板', '改为 ${名称}');
    return false;
  }
  if (MOBILE.test(text) || ID_CARD.test(text) || BANK_CARD.test(text)) {
    found.refuse('V11', pointer, '定义中不能出现手机号、证件号或卡号', '删除该号码');
    return false;
  }
  if (place.markup ? !isPlainMarkup(text) : MARKUP.test(text)) {
    found.refuse('V07', pointer, place.markup ? '只能使用标签b strong em span br p small及class属性' : '此处不能使用HTML标签', '删除标签');
    return false;
  }
  if (!place.prose && !place.markup && (/^\s*function\b/.test(text) || (text.includes('=>') && !text.includes('${')))) {
    found.refuse('V07', pointer, '不能填写脚本', '使用组件自带的属性');
    return false;
  }
  return true;
}

function isPlainMarkup(text: string): boolean {
  const rest = text.replaceAll(TAG, (whole, close: string, name: string, attributes: string) =>
    TAGS.has(name.toLowerCase()) && (close ? attributes.trim() === '' : ATTRIBUTES.test(attributes)) ? '' : whole,
  );
  return !MARKUP.test(rest);
}

/** Text with `${…}`. */
export function checkText(found: Findings, pointer: string, value: unknown, markup = false): void {
  if (typeof value === 'number' || typeof value === 'boolean') return;
  if (typeof value !== 'string') return found.refuse('V03', pointer, '此处须为文字');
  if (!checkString(found, pointer, value, { markup, prose: true })) return;
  const fault = faultOfTemplate(value);
  if (fault) found.refuse(fault.code, pointer, fault.message, fault.advice);
}

export function checkClass(found: Findings, pointer: string, value: unknown): void {
  if (typeof value !== 'string') return found.refuse('V07', pointer, '样式名须为文字');
  if (checkString(found, pointer, value) && !CLASS.test(value))
    found.refuse('V07', pointer, '样式名只能包含字母、数字、空格、连字符、点、冒号和斜线');
}

const LITERAL = /^[\w\-.#%(), ]{0,100}$/;

/** Only listed properties with literal values: no address, no expression. */
export function checkStyle(found: Findings, pointer: string, value: unknown): void {
  if (!isObject(value)) return found.refuse('V07', pointer, '样式须为对象');
  for (const [name, one] of Object.entries(value)) {
    const at = step(pointer, name);
    if (!styleNames.includes(name)) found.refuse('V07', at, `样式属性${name}不可使用`);
    else if (typeof one === 'string' ? !LITERAL.test(one) || /url\s*\(|expression/i.test(one) : typeof one !== 'number')
      found.refuse('V07', at, '样式的值须为固定的文字或数字');
  }
}
