/** Refusal texts of conditions: server and page say the same (specification section 5; the last three are ours). */
export const ruleTexts = {
  INCOMPLETE: '请输入全部内容',
  RANGE_FORMAT: '请输入正确的格式:数字+英文逗号+数字',
  DECIMALS: '小数点后面最多三位小数',
  RANGE_ORDER: '区间左值不能大于右值',
  OPERATOR: '该变量不支持此运算符',
  NUMBER_FORMAT: '条件值只能输入数字和小数点',
  DAY: '请输入1900年至2199年之间的日期',
  OPTION: '条件值不在可选范围内',
  LIST_FORMAT: '多个值请用英文逗号分隔，且不能有空值',
} as const;

/** Why a condition is refused. */
export type RuleFault = keyof typeof ruleTexts;
