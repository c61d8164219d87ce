import { declareErrors } from '#kernel/contract/errors.ts';

export const settlementErrors = declareErrors({
  OWN_DOCUMENT: ['SCM19001', '不能审核本人提交的单据'],
  IN_BILL: ['SCM19011', '收入已进入结算单，请在结算单中处理'],
  OWN_HOLD: ['SCM19012', '挂起人不能解除本人挂起的收入'],
  NOT_MINE: ['SCM19014', '只有制单人可以撤回调整单'],
  TAKEN_BACK: ['SCM19015', '追回与调减的收入不能{what}，请用人工调整单处理'],
  TEST_FAILED: ['SCM19021', '测试用例第{n}条未通过，期望{a}元，实际{b}元'],
  EFFECTIVE_LATE: ['SCM19022', '生效日期须晚于今天'],
  SCOPE_OVERLAPS: ['SCM19023', '与规则{code}适用范围重叠'],
  NO_DEFAULT: ['SCM19024', '{d1}至{d2}没有默认规则'],
  DRAFT_OPEN: ['SCM19025', '规则{code}已有未发布的版本（第{n}版），请先处理'],
  CODE_TAKEN: ['SCM19026', '付款主体编码已存在'],
  PAYER_DISABLED: ['SCM19027', '付款主体{name}已停用，请选择其他主体'],
  TOO_LITTLE: ['SCM19029', '重新计算后应发{a}元，未达起付额，请作废该结算单'],
  NOT_VERIFIABLE: ['SCM19040', '收款账户资料不完整，请先补充{fields}'],
  ALREADY_RUN: ['SCM19045', '该期间已批算；如需补算请使用补算'],
  WRONG_ACCOUNT: ['SCM19046', '银行卡号或联行号格式不正确'],
});
