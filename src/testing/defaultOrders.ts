import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import type { Handler } from '#kernel/server/handler.ts';
import type { Row } from './listCells.ts';

/** Words for what is over, and for what was given back. */
const OVER =
  /^(已作废|已停用|停用|停售|已下架|已下线|已撤回|已撤销|已结束|已注销|已归档|已合并|已冲正|已退款|已失效|已过期|已到期|已驳回|已取消|已关闭|已终止|已离职|已拒绝|已用完|已结清|已退保)$/;

/** Lists in which what is over may stand first, each with its reason. */
export const IN_TIME: Readonly<Record<string, string>> = {
  'CardWriteOffService/queryReversalList': 'reversals as they were made; those that wait have a tab',
  'ApproveService/queryCertExpireList': 'certificates that have run out are what it looks for',
};

type ListHandler = Extract<Handler, { mode: 'query' }>;
export const isList = (handler: Handler): handler is ListHandler =>
  handler.mode === 'query' &&
  (handler.call.shape === 'list' || handler.call.shape === 'cursor') &&
  (handler.call.access.kind === 'permission' || handler.call.access.kind === 'session');

/** Columns of the list that say in which state a row is. */
const statesOf = ({ call }: ListHandler) =>
  Object.entries(shapeOf(call.output)).flatMap(([key, schema]) => {
    const facts = fieldFacts(schema);
    return facts?.dictionary && facts.label.endsWith('状态') ? [{ key, dictionary: facts.dictionary }] : [];
  });

/** What is wrong with the order in which a list stands by itself, on its first page; null: nothing. */
export function orderFault(handler: ListHandler, rows: readonly Row[]): string | null {
  const states = statesOf(handler);
  const known = new Set(states.flatMap(({ dictionary }) => dictionary.options.map(({ value }) => value)));
  const strange = handler.last?.filter((code) => !known.has(code)) ?? [];
  if (strange.length > 0) return `no state is called ${strange.join()}`;
  for (const { key, dictionary } of states) {
    const over = rows.map((row) => OVER.test(dictionary.label(String(row[key]))));
    const first = rows[0]?.[key];
    if (over[0] && !over.every(Boolean)) return `begins with ${dictionary.label(String(first))}, and has others`;
  }
  return null;
}
