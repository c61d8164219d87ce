import type { RefundRule } from '../../contract/rules/refund.ts';

export const SIGN_LINK_NOTE = '请把链接发给被保人本人；打开后凭证件号码后六位确认签署，合同签署或取消后失效。';

const RULES: Readonly<Record<RefundRule, string>> = {
  COOLING_OFF: '犹豫期内且未发生赔付，全额退还',
  CLAIMED: '已发生赔付，不退还',
  BY_DAYS: '按未使用天数退还',
  FULL: '全额退还',
};
/** How a refund was reckoned, in words. */
export const calcText = ({ rule, totalDays, usedDays }: { rule: RefundRule; totalDays: number; usedDays: number }): string =>
  rule === 'BY_DAYS' ? `${RULES[rule]}：共${totalDays}天，已使用${usedDays}天` : RULES[rule];
