import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { exportOf } from '../../../../kernel/contract/exportOf.ts';
import { day, id, idOut, paging, several, text, version } from '../../../../kernel/contract/fields.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { privacyKinds } from '../dictionaries.ts';
import { at, personBrief, textOr, textOrNull } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';
import { privacyMachine } from '../states.ts';

const service = { host: 'admin', service: 'PrivacyService', access: access.permission(may['privacy.handle']) } as const;
const state = privacyMachine.dictionary.schema;

const requestRow = z.strictObject({
  id: idOut,
  requestNo: z.string(),
  kind: privacyKinds.schema,
  patient: personBrief,
  detail: z.string(),
  state,
  dueAt: z.string(),
  daysLeft: z.int(),
  resultFileId: textOrNull,
  handler: textOrNull,
  createdBy: textOrNull,
  opinion: textOrNull,
  createdAt: at,
  finishedAt: textOrNull,
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
export const queryPrivacyRequestList = call({
  ...service,
  operation: 'queryPrivacyRequestList',
  kind: 'query',
  shape: 'list',
  label: '查询隐私请求',
  input: z.strictObject({ ...paging, ...filters }),
  output: requestRow,
});
export const exportPrivacyRequestList = exportOf(queryPrivacyRequestList, {
  operation: 'exportPrivacyRequestList',
  label: '导出隐私请求',
  access: access.permission(may['privacy.handle']),
});
export const addPrivacyRequest = call({
  ...service,
  operation: 'addPrivacyRequest',
  kind: 'command',
  shape: 'data',
  label: '登记隐私请求',
  message: '登记成功!',
  input: z.strictObject({
    patientId: field('患者', id),
    kind: field('申请类型', privacyKinds.schema),
    detail: text('请求内容', 500, 2),
  }),
  output: requestRow,
});
/** `finish` of COPY makes the ZIP; of DELETE it cancels the record, by somebody else than who registered the request. */
export const handlePrivacyRequest = call({
  ...service,
  operation: 'handlePrivacyRequest',
  kind: 'command',
  shape: 'data',
  label: '办理隐私请求',
  message: '操作成功!',
  input: z.strictObject({
    id,
    version,
    action: field('处理方式', z.enum(['start', 'finish', 'refuse'], '操作不正确')),
    opinion: textOr('意见', 500),
  }),
  output: requestRow,
});
