import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, dayOut, id, idOut, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { handoverReasons } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { handoverMachine } from '../states.ts';
import { acted, maybe } from './declare.ts';
import { agentService } from './services.ts';

const state = handoverMachine.dictionary.schema;

/** Who takes over what. `rest` takes every doctor and channel that the plan does not name. */
const handoverPlan = field(
  '交接方案',
  z.strictObject({
    teamToAgentId: field('团队接收代表', maybe(id)),
    doctors: field(
      '医生',
      z._default(
        z
          .array(z.strictObject({ doctorId: field('医生', id), productLineId: field('产品线', id), toAgentId: field('接收代表', id) }))
          .check(z.maxLength(5000, '医生过多')),
        [],
      ),
    ),
    channels: field(
      '渠道',
      z._default(
        z.array(z.strictObject({ channelId: field('渠道', id), toAgentId: field('接收代表', id) })).check(z.maxLength(5000, '渠道过多')),
        [],
      ),
    ),
    rest: field('其余', z.optional(z.nullable(z.strictObject({ toAgentId: field('接收代表', id) })))),
  }),
);
export type HandoverPlan = z.output<typeof handoverPlan>;

const share = z.strictObject({ total: z.int(), done: z.int() });
const handoverProgress = z.strictObject({ team: share, doctors: share, channels: share });
export type HandoverProgress = z.output<typeof handoverProgress>;

const handoverRow = z.strictObject({
  id: idOut,
  handoverNo: field('交接单号', z.string(), { width: 160 }),
  fromAgentId: idOut,
  fromAgentName: field('代表', z.string()),
  fromAgentNo: field('代表编号', z.string(), { width: 160 }),
  companyName: field('药企', z.string(), { width: 160 }),
  reason: field('原因', handoverReasons.schema),
  effectiveOn: field('生效日期', dayOut),
  plan: z.unknown(),
  progress: field('进度', handoverProgress),
  makerId: textOrNull,
  makerName: field('提交人', textOrNull),
  checkerId: textOrNull,
  checkerName: field('审批人', textOrNull),
  opinion: field('审批意见', textOrNull, { width: 240 }),
  remark: field('交接说明', textOrNull, { width: 240 }),
  createdAt: field('创建时间', instantOut),
  state: field('状态', state),
  version: z.int(),
  own: z.boolean(),
});
export type HandoverRow = z.output<typeof handoverRow>;

const fields = {
  reason: field('交接原因', handoverReasons.schema),
  effectiveOn: field('生效日期', day),
  plan: handoverPlan,
  remark: z.optional(text('交接说明', 500)),
  /** Submits it for approval at once. */
  submit: field('是否提交', z._default(z.boolean(), false)),
};

const handoverFilter = {
  handoverId: field('交接', z.optional(id)),
  fromAgentId: field('交出代表', z.optional(id)),
  agentName: z.optional(text('代表', 30)),
  reason: field('原因', z.optional(several(handoverReasons.schema))),
  state: z.optional(several(state)),
};

export const queryAgentHandoverList = agentService.list({
  operation: 'queryAgentHandoverList',
  label: '查询离岗交接',
  access: may['agent.view'],
  filter: { ...handoverFilter, ...sortedBy('handoverNo', 'effectiveOn', 'createdAt') },
  output: handoverRow,
});
export const exportAgentHandoverList = exportOf(queryAgentHandoverList, {
  operation: 'exportAgentHandoverList',
  label: '导出离岗交接',
  access: may['agent.export'],
});
export const addAgentHandover = agentService.act({
  operation: 'addAgentHandover',
  label: '新增离岗交接',
  access: may['agent.handover'],
  message: '保存成功!',
  idempotency: 'required',
  input: { fromAgentId: field('交出代表', id), ...fields },
  output: handoverRow,
});
export const modifyAgentHandover = agentService.act({
  operation: 'modifyAgentHandover',
  label: '修改离岗交接',
  access: may['agent.handover'],
  message: '保存成功!',
  idempotency: 'required',
  input: { id, version, ...fields },
  output: handoverRow,
});
export const previewAgentHandover = agentService.read({
  operation: 'previewAgentHandover',
  label: '预览离岗交接',
  access: may['agent.handover'],
  input: {
    fromAgentId: field('交出代表', id),
    plan: handoverPlan,
    shareOver: field('接收代表', z.optional(z.array(id).check(z.maxLength(50, '接收人过多')))),
  },
  output: z.strictObject({
    /** Where `shareOver` was given: the plan with the doctors shared evenly over these people. */
    plan: z.unknown(),
    unassigned: z.int(),
    teamSize: z.int(),
    successors: z.array(
      z.strictObject({
        agentId: idOut,
        agentNo: z.string(),
        name: z.string(),
        doctorsBefore: z.int(),
        doctorsAfter: z.int(),
        channelsBefore: z.int(),
        channelsAfter: z.int(),
        teamBefore: z.int(),
        teamAfter: z.int(),
      }),
    ),
  }),
});
export const auditAgentHandover = agentService.act({
  operation: 'auditAgentHandover',
  label: '审批离岗交接',
  access: may['agent.handoverAudit'],
  message: '审批完成',
  idempotency: 'required',
  input: { id, version, action: field('操作', z.enum(['approve', 'reject'], '请选择审批结论')), opinion: z.optional(text('意见', 500)) },
  output: acted(state),
});
export const cancelAgentHandover = agentService.act({
  operation: 'cancelAgentHandover',
  label: '取消离岗交接',
  access: may['agent.handover'],
  message: '已取消',
  idempotency: 'required',
  input: { id, version, opinion: z.optional(opinion) },
  output: acted(state),
});
export const queryAgentHandoverTrail = agentService.read({
  operation: 'queryAgentHandoverTrail',
  label: '查询交接轨迹',
  access: may['agent.view'],
  input: { handoverId: field('交接', id) },
  output: trail,
});
