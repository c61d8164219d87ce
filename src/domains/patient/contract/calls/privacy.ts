import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, dayOut, id, idOut, instantOut, optionalText, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { privacyKinds } from '../dictionaries.ts';
import { personBrief } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';
import { privacyMachine } from '../states.ts';

const service = declareService('PrivacyService');
const state = privacyMachine.dictionary.schema;

const requestRow = z.strictObject({
  id: idOut,
  requestNo: field('请求编号', z.string(), { width: 144 }),
  kind: field('类型', privacyKinds.schema),
  patient: personBrief,
  detail: field('请求内容', z.string(), { width: 320 }),
  state: field('状态', state),
  dueAt: field('办结期限', dayOut),
  daysLeft: z.int(),
  resultFileId: textOrNull,
  handler: field('处理人', textOrNull),
  createdBy: textOrNull,
  opinion: field('意见', textOrNull, { width: 240 }),
  createdAt: field('登记时间', instantOut),
  finishedAt: field('办结时间', z.nullable(instantOut)),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type PrivacyRequestRow = z.output<typeof requestRow>;
const filters = {
  kind: field('申请类型', z.optional(several(privacyKinds.schema))),
  state: z.optional(several(state)),
  keyword: z.optional(text('请求编号或患者编号', 40)),
  patientId: field('患者', z.optional(id)),
  from: field('开始日期', z.optional(day)),
  to: field('结束日期', z.optional(day)),
};
export const queryPrivacyRequestList = service.list({
  operation: 'queryPrivacyRequestList',
  label: '查询隐私请求',
  access: may['privacy.handle'],
  filter: filters,
  output: requestRow,
});
export const exportPrivacyRequestList = exportOf(queryPrivacyRequestList, {
  operation: 'exportPrivacyRequestList',
  label: '导出隐私请求',
  access: may['privacy.handle'],
});
export const addPrivacyRequest = service.act({
  operation: 'addPrivacyRequest',
  label: '登记隐私请求',
  access: may['privacy.handle'],
  message: '登记成功!',
  input: { patientId: field('患者', id), kind: field('申请类型', privacyKinds.schema), detail: text('请求内容', 500, 2) },
  output: requestRow,
});
/** `finish` of COPY makes the ZIP; of DELETE it cancels the record, by somebody else than who registered the request. */
export const handlePrivacyRequest = service.act({
  operation: 'handlePrivacyRequest',
  label: '办理隐私请求',
  access: may['privacy.handle'],
  message: '操作成功!',
  input: {
    id,
    version,
    action: field('处理方式', z.enum(['start', 'finish', 'refuse'], '操作不正确')),
    opinion: optionalText('意见', 500),
  },
  output: requestRow,
});
