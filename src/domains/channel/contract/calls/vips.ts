import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  fenOut,
  flag,
  id,
  idOut,
  instantOut,
  optionalId,
  rateOut,
  several,
  text,
  version,
  int4,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { vipLevels, vipUsageKinds } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { vipStates } from '../states.ts';
import { added, amount, moveFields } from './shared.ts';

const service = declareService('ChannelVipService');

const filters = {
  vipNo: z.optional(text('VIP编号', 20)),
  channelId: field('所属渠道', z.optional(id)),
  channelName: z.optional(text('渠道', 40)),
  level: field('等级', z.optional(several(vipLevels.schema))),
  state: z.optional(several(vipStates.dictionary.schema)),
  forMe: field('待我处理', z.optional(flag)),
  endBefore: field('到期日不晚于', z.optional(day)),
};
const facts = {
  id: idOut,
  vipNo: field('VIP编号', z.string()),
  channelId: idOut,
  channelName: field('渠道', z.string(), { width: 240 }),
  level: field('等级', vipLevels.schema),
  sponsorName: field('出资方', z.string()),
  defaultDiscountBp: field('默认折扣', rateOut),
  itemDiscounts: z.array(z.strictObject({ itemId: idOut, discountBp: z.int() })),
  priorityAcceptMin: field('接诊承诺（分钟）', z.int()),
  deskCode: z.nullable(z.string()),
  patientQuota: field('名额', z.nullable(z.int())),
  memberCount: field('已用名额', z.int()),
  monthlyBudgetFen: field('月预算（元）', z.nullable(fenOut)),
  monthUsedFen: field('本月已用（元）', fenOut),
  totalBudgetFen: field('总预算（元）', fenOut),
  usedFen: field('已用（元）', fenOut),
  startDate: field('开始日期', dayOut),
  endDate: field('结束日期', dayOut),
  contractFileIds: z.array(idOut),
  previousVipId: z.nullable(idOut),
  makerId: z.nullable(idOut),
  makerName: z.nullable(z.string()),
  checkerName: z.nullable(z.string()),
  state: field('状态', vipStates.dictionary.schema),
  version: z.int(),
  createdAt: z.string(),
};
const row = z.strictObject(facts);
export type VipRow = z.output<typeof row>;

export const queryChannelVipList = service.list({
  operation: 'queryChannelVipList',
  label: '查询VIP渠道',
  access: may['vip.view'],
  filter: {
    ...sortedBy(
      'vipNo',
      'defaultDiscountBp',
      'priorityAcceptMin',
      'patientQuota',
      'monthlyBudgetFen',
      'totalBudgetFen',
      'usedFen',
      'startDate',
      'endDate',
      'memberCount',
      'monthUsedFen',
    ),
    ...filters,
  },
  output: row,
});
export const exportChannelVipList = exportOf(queryChannelVipList, {
  operation: 'exportChannelVipList',
  label: '导出VIP渠道',
  access: may['vip.export'],
});
export const queryChannelVipDetail = service.read({
  operation: 'queryChannelVipDetail',
  label: '查看VIP渠道',
  access: may['vip.view'],
  input: { id },
  output: z.strictObject({
    ...facts,
    previous: z.nullable(row),
    trail,
    allowedActions: actionsOf(vipStates),
    contracts: z.array(
      z.strictObject({
        fileId: idOut,
        fileName: z.string(),
        detectedType: z.nullable(z.string()),
        pageCount: z.nullable(z.int()),
        size: z.nullable(z.int()),
      }),
    ),
  }),
});

// Out of range is a refusal with its own code, so the schema takes any integer.
const discount = int4('折扣须为数字');
export const itemDiscount = z.strictObject({ itemId: field('服务项目', id), discountBp: field('折扣', discount) });
const fields = {
  level: field('等级', z.enum(vipLevels.codes, '请选择等级')),
  sponsorName: text('出资方', 60, 1),
  sponsorId: field('出资方', optionalId),
  defaultDiscountBp: field('默认折扣', discount),
  itemDiscounts: field('项目折扣', z._default(z.array(itemDiscount).check(z.maxLength(100, '最多100个服务项目')), [])),
  priorityAcceptMin: field(
    '接诊承诺',
    z.int('请输入接诊承诺').check(z.minimum(5, '接诊承诺为5至120分钟'), z.maximum(120, '接诊承诺为5至120分钟')),
  ),
  deskCode: z._default(z.nullable(text('导诊台', 40)), null),
  patientQuota: field('名额', z._default(z.nullable(int4('名额须为整数').check(z.minimum(1, '名额须大于0'))), null)),
  monthlyBudgetFen: z._default(z.nullable(amount('月预算', 1)), null),
  totalBudgetFen: amount('总预算', 1),
  startDate: field('开始日期', day),
  endDate: field('结束日期', day),
  contractFileIds: field('协议文件', z._default(z.array(id).check(z.maxLength(10, '最多10个协议文件')), [])),
};
export const vipLabels = {
  level: '等级',
  sponsorName: '出资方',
  defaultDiscountBp: '默认折扣',
  itemDiscounts: '项目折扣',
  priorityAcceptMin: '接诊承诺',
  patientQuota: '名额',
  monthlyBudgetFen: '月预算',
  totalBudgetFen: '总预算',
  startDate: '开始日期',
  endDate: '结束日期',
};

export const addChannelVip = service.act({
  operation: 'addChannelVip',
  label: '新增VIP渠道',
  access: may['vip.edit'],
  message: '添加成功!',
  input: { channelId: field('渠道', id), previousVipId: field('上一期VIP', optionalId), ...fields },
  output: added,
});
export const modifyChannelVip = service.act({
  operation: 'modifyChannelVip',
  label: '修改VIP渠道',
  access: may['vip.edit'],
  input: { id, version, ...fields },
  output: actionAnswer,
});
export const submitChannelVip = service.act({
  operation: 'submitChannelVip',
  label: '提交VIP渠道',
  access: may['vip.edit'],
  input: { id, version },
  output: actionAnswer,
});
export const auditChannelVip = service.act({
  operation: 'auditChannelVip',
  label: '审核VIP渠道',
  access: may['vip.audit'],
  input: { ...moveFields, action: field('操作', z.enum(['approve', 'reject'], '操作不正确')) },
  output: actionAnswer,
});
export const changeChannelVipState = service.act({
  operation: 'changeChannelVipState',
  label: '暂停、恢复、终止VIP权益',
  access: may['vip.state'],
  input: { ...moveFields, action: field('操作', z.enum(['suspend', 'resume', 'terminate'], '操作不正确')) },
  output: actionAnswer,
});
const usageFilters = {
  vipId: field('VIP', z.optional(id)),
  vipNo: z.optional(text('VIP编号', 20)),
  kind: field('类别', z.optional(vipUsageKinds.schema)),
};
const usageRow = z.strictObject({
  id: idOut,
  vipId: idOut,
  vipNo: field('VIP编号', z.string()),
  channelName: field('渠道', z.string(), { width: 240 }),
  orderId: field('订单', idOut),
  kind: field('类别', vipUsageKinds.schema),
  amountFen: field('金额（元）', fenOut),
  month: field('预算月份', z.string()),
  doctorName: field('医生', z.nullable(z.string())),
  released: field('已释放', z.boolean()),
  at: field('时间', instantOut),
});
export const queryVipUsageList = service.list({
  operation: 'queryVipUsageList',
  label: '查询VIP使用明细',
  access: may['vip.view'],
  filter: { ...sortedBy('at'), ...usageFilters },
  output: usageRow,
});
export const exportVipUsageList = exportOf(queryVipUsageList, {
  operation: 'exportVipUsageList',
  label: '导出VIP使用明细',
  access: may['vip.export'],
});
export const VIP_MEMBER_IMPORTER = 'channel.vipMember';
export const importVipMember = service.act({
  operation: 'importVipMember',
  label: '导入VIP名单',
  access: may['vip.edit'],
  log: 'IMPORT',
  input: { vipId: field('VIP', id), ...importFields },
  output: importStarted,
});
