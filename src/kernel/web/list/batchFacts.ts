import { yuan } from '../../contract/money.ts';
import type { Fact } from '../kit/fact.ts';
import type { Column } from '../kit/columns.ts';
import { plainText } from '../kit/plainText.ts';

interface Act<Row> {
  nameOf(row: Row): string;
  when?(row: Row): boolean;
}

/** Names that are said one by one. */
const MOST_NAMES = 5;
/** Prices are not added up. */
const PRICE = /价(?:格)?(?:（元）)?$/;

/** What an act on ticked rows is about: how many, their amounts together, which. Rows that it leaves out are counted apart. */
export function batchFacts<Row extends object>(columns: readonly Column<Row>[], rows: readonly Row[], act: Act<Row>): Fact[] {
  const fit = rows.filter((row) => act.when?.(row) ?? true);
  const left = rows.length - fit.length;
  const sums = columns.flatMap(({ kind, title, key, value }): Fact[] => {
    if (kind !== 'money' || PRICE.test(title)) return [];
    const amounts = fit.map((row) => plainText(value ? value(row) : Reflect.get(row, key))).filter((text) => /^-?\d+$/.test(text));
    if (amounts.length === 0) return [];
    const sum = amounts.reduce((total, fen) => total + BigInt(fen), 0n);
    return [{ label: `${title.replace(/（元）$/, '')}合计`, value: `¥${yuan(sum, true)}` }];
  });
  const names = fit.slice(0, MOST_NAMES).map((row) => act.nameOf(row));
  const more = fit.length > MOST_NAMES ? `等${fit.length}条` : '';
  return [
    { label: '条数', value: left > 0 ? `${fit.length} 条（另有 ${left} 条当前状态不能执行，将跳过）` : `${fit.length} 条` },
    ...sums,
    ...(fit.length > 0 ? [{ label: '记录', value: `${names.join('、')}${more}` }] : []),
  ];
}
