import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, several, text, textOrNull, version, wholeText } from '#kernel/contract/fields.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { doctorOut, verdict } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { adjustMachine } from '../states.ts';

const service = declareService('IncomeService');
/** From this amount on a third person looks at an adjustment. */
export const SECOND_CHECK_FEN = 1_000_000n;
const MOST_FEN = 100_000_000;

const adjustRow = z.strictObject({
  id: idOut,
  adjustNo: field('调整单号', z.string(), { width: 170 }),
  ...doctorOut,
  payerName: field('付款主体', z.string(), { width: 180 }),
  grossFen: field('调整金额', fen),
  reason: field('原因', z.string(), { width: 220 }),
  fileIds: z.array(idOut),
  makerName: field('制单人', z.string(), { width: 90 }),
  checkerName: field('复核人', textOrNull, { width: 90 }),
  secondCheckerName: field('二级复核人', textOrNull, { width: 100 }),
  opinion: field('复核意见', textOrNull, { width: 160 }),
  createdAt: field('制单时间', instantOut),
  status: field('状态', adjustMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(adjustMachine),
});
export type AdjustRow = z.output<typeof adjustRow>;
export const queryIncomeAdjustList = service.list({
  operation: 'queryIncomeAdjustList',
  label: '查询人工调整单',
  access: may['income.view'],
  filter: {
    adjustNo: z.optional(wholeText('调整单号', 30)),
    doctorName: z.optional(text('医生姓名', 40)),
    status: field('状态', z.optional(several(adjustMachine.dictionary.schema))),
  },
  output: adjustRow,
});
export const exportIncomeAdjustList = exportOf(queryIncomeAdjustList, {
  operation: 'exportIncomeAdjustList',
  label: '导出人工调整单',
  access: may['income.export'],
});
const answer = acted(adjustMachine.dictionary.schema);
export const addIncomeAdjust = service.act({
  operation: 'addIncomeAdjust',
  label: '制作人工调整单',
  access: may['income.adjust'],
  idempotency: 'required',
  message: '新增成功!',
  input: {
    doctorId: field('医生', id),
    payerEntityId: field('付款主体', id),
    grossFen: field(
      '调整金额',
      fen.check(
        z.refine((value) => value !== 0, '调整金额不能为0'),
        z.minimum(-MOST_FEN, '调整金额不能小于-100万元'),
        z.maximum(MOST_FEN, '调整金额不能大于100万元'),
      ),
    ),
    reason: text('原因', 200, 10),
    fileIds: field('附件', z.array(id).check(z.minLength(1, '请上传附件'), z.maxLength(3, '附件最多3个'))),
  },
  output: answer,
});
export const auditIncomeAdjust = service.act({
  operation: 'auditIncomeAdjust',
  label: '复核人工调整单',
  access: may['income.adjustCheck'],
  idempotency: 'required',
  input: verdict,
  output: answer,
});
export const auditIncomeAdjustSecond = service.act({
  operation: 'auditIncomeAdjustSecond',
  label: '二级复核人工调整单',
  access: may['income.adjustCheck2'],
  idempotency: 'required',
  input: verdict,
  output: answer,
});
export const cancelIncomeAdjust = service.act({
  operation: 'cancelIncomeAdjust',
  label: '撤回人工调整单',
  access: may['income.adjust'],
  input: { id: field('调整单', id), version },
  output: answer,
});
