/** A variable that a text may name; `code` is the variable of conditions whose value it shows. */
export interface TextVariable {
  name: string;
  code: string | null;
  /** Shown in previews without a patient. */
  example: string;
}

/** Names stand in stored texts: none is removed or given another meaning. */
export const textVariables: readonly TextVariable[] = [
  { name: '患者称呼', code: null, example: '王先生' },
  { name: '医生姓名', code: null, example: '陈立' },
  { name: '医助姓名', code: null, example: '小康' },
  { name: '医院', code: null, example: '康桥医院' },
  { name: '病种', code: null, example: '2型糖尿病' },
  { name: '当前日期', code: null, example: '11月20日' },
  { name: '年龄', code: 'patient.age', example: '62' },
  { name: '距上次购药天数', code: 'patient.daysSincePurchase', example: '25' },
  { name: '剩余用药天数', code: 'patient.medicineDaysLeft', example: '5' },
  { name: '距上次复诊天数', code: 'patient.daysSinceRevisit', example: '60' },
  // Told by the event that a notice answers; elsewhere the fallback stands.
  { name: '申请编号', code: null, example: 'RZ20261120001' },
  { name: '理赔编号', code: null, example: 'LP20261120001' },
  { name: '办理说明', code: null, example: '请补充出院小结' },
  { name: '截止日期', code: null, example: '2026-11-30' },
  { name: '订单编号', code: null, example: 'DD20261120001' },
  { name: '运单编号', code: null, example: 'SF1234567890' },
  { name: '权益卡名称', code: null, example: '用药福利卡' },
  { name: '金额', code: null, example: '500.00' },
  { name: '到期日期', code: null, example: '2026-12-20' },
];
const known = new Set(textVariables.map(({ name }) => name));

const PLACE = /\{\{([^{}]*)\}\}/g;

const partsOf = (inner: string): { name: string; fallback: string } => {
  const colon = inner.search(/[:：]/);
  return colon < 0 ? { name: inner.trim(), fallback: '' } : { name: inner.slice(0, colon).trim(), fallback: inner.slice(colon + 1).trim() };
};

/** First `{{变量:缺省}}` that names no variable or has no fallback; braces that do not match are one. Null: none. */
export function wrongVariable(text: string): string | null {
  for (const [, inner = ''] of text.matchAll(PLACE)) {
    const { name, fallback } = partsOf(inner);
    if (!known.has(name) || fallback === '') return name || inner;
  }
  const rest = text.replaceAll(PLACE, '');
  const stray = rest.search(/\{\{|\}\}/);
  return stray < 0 ? null : rest.slice(stray, stray + 12);
}

/** Names of the variables in a text. */
export const variablesIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, inner = '']) => partsOf(inner).name);

/** The text with its variables filled, by the fallback where there is no value. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACE, (_place, inner: string) => {
    const { name, fallback } = partsOf(inner);
    const value = Object.hasOwn(values, name) ? values[name]!.trim() : '';
    return value === '' ? fallback : value;
  });

export const exampleValues: Readonly<Record<string, string>> = Object.fromEntries(
  textVariables.map(({ name, example }) => [name, example]),
);

/** Words are compared without width, case and spaces. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

export interface ForbiddenWord {
  word: string;
  level: 'HARD' | 'SOFT';
}

/** The words that a text contains, in the order of the list. */
export function forbiddenIn<W extends ForbiddenWord>(text: string, words: readonly W[]): W[] {
  const whole = folded(text);
  return words.filter(({ word }) => whole.includes(folded(word)));
}

export interface MarkedPart {
  text: string;
  level: ForbiddenWord['level'] | null;
}

/** The text in runs, forbidden words apart, as the editor marks them in place. Of words that overlap the first and longest is marked. */
export function markedParts(text: string, words: readonly ForbiddenWord[]): MarkedPart[] {
  const letters: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    for (const one of folded(letter)) {
      letters.push(one);
      places.push(at);
    }
    at += letter.length;
  }
  const wanted = words
    .map(({ word, level }) => ({ letters: [...folded(word)], level }))
    .filter((word) => word.letters.length > 0)
    .sort((a, b) => b.letters.length - a.letters.length);
  const parts: MarkedPart[] = [];
  let from = 0;
  for (let index = 0; index < letters.length;) {
    const hit = wanted.find((word) => word.letters.every((letter, offset) => letters[index + offset] === letter));
    if (!hit) {
      index += 1;
      continue;
    }
    const start = places[index]!;
    const last = places[index + hit.letters.length - 1]!;
    const end = last + (text.codePointAt(last)! > 0xffff ? 2 : 1);
    if (start > from) parts.push({ text: text.slice(from, start), level: null });
    parts.push({ text: text.slice(start, end), level: hit.level });
    from = end;
    index += hit.letters.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), level: null });
  return parts;
}
