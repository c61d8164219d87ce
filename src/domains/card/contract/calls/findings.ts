import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { invariants } from '../useDictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { findingMachine } from '../useStates.ts';

const service = declareService('CardFindingService');
const handle = may['finding.handle'];

const row = z.strictObject({
  id: idOut,
  invariantCode: field('检查项', invariants.schema, { width: 220 }),
  subjectType: z.string(),
  subjectId: idOut,
  subject: field('对象', z.string(), { width: 200 }),
  expected: field('应为', z.string(), { width: 130 }),
  actual: field('实为', z.string(), { width: 130 }),
  status: field('状态', findingMachine.dictionary.schema),
  owner: field('负责人', z.nullable(z.string()), { width: 90 }),
  fixNote: field('处理说明', z.nullable(z.string()), { width: 200 }),
  foundAt: field('发现时间', instantOut),
  guide: field('处理建议', z.string()),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type FindingRow = z.output<typeof row>;
export const queryFindingList = service.list({
  operation: 'queryFindingList',
  label: '查询卡异常数据',
  access: handle,
  filter: {
    ...sortedBy('invariantCode', 'foundAt'),
    invariantCode: field('检查项', z.optional(several(invariants.schema))),
    status: field('状态', z.optional(findingMachine.dictionary.schema)),
  },
  output: row,
});
export const exportFindingList = exportOf(queryFindingList, {
  operation: 'exportFindingList',
  label: '导出卡异常数据',
  access: may['card.export'],
});

const answer = z.strictObject({
  id: idOut,
  state: findingMachine.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export const assignFinding = service.act({
  operation: 'assignFinding',
  label: '指派卡异常',
  access: handle,
  input: { findingId: field('异常', id), version, ownerId: field('负责人', z.optional(id)) },
  output: answer,
});
/** Mends what can be mended from the ledger; closes where the next look finds nothing. */
export const fixFinding = service.act({
  operation: 'fixFinding',
  label: '重建卡余额',
  access: handle,
  input: { findingId: field('异常', id), version },
  output: answer,
});
export const closeFinding = service.act({
  operation: 'closeFinding',
  label: '关闭卡异常',
  access: handle,
  input: { findingId: field('异常', id), version, fixNote: text('处理说明', 500, 2) },
  output: answer,
});
export const runInvariant = service.act({
  operation: 'runInvariant',
  label: '立即检查卡账务',
  access: handle,
  ratePerMinute: 6,
  input: { codes: field('检查项', z._default(several(invariants.schema), [])) },
  output: z.strictObject({ checked: z.int(), found: z.int(), closed: z.int() }),
});
