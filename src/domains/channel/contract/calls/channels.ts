import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { between, ordered } from '#kernel/contract/between.ts';
import { answered } from '#kernel/contract/answered.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { day, fenOut, id, idOut, optionalDay, optionalId, optionalText, several, text, version } from '#kernel/contract/fields.ts';
import { field, keysOf, without } from '#kernel/contract/field.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { channelTypes, ownerless } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { channelStates } from '../states.ts';
import { added, adcode, amount, moveFields, series, sums } from './shared.ts';

const service = declareService('ChannelService');

const filters = {
  id: z.optional(id),
  channelNo: z.optional(text('渠道编号', 20)),
  name: z.optional(text('名称', 40)),
  channelType: field('类型', z.optional(several(channelTypes.schema))),
  agentId: field('代表', z.optional(id)),
  companyId: field('药企', z.optional(id)),
  adcode: z.optional(adcode),
  state: z.optional(several(channelStates.dictionary.schema)),
  parentId: field('上级渠道', z.optional(id)),
  from: field('开始日期', z.optional(day)),
  to: field('结束日期', z.optional(day)),
};

/** What the operator says of a channel; one place for form, call, import, list and detail. */
export const channelFields = {
  name: text('渠道名称', 40, 1),
  ownerId: field('归属方', optionalId),
  ownerName: z._default(z.nullable(text('归属方', 60)), null),
  agentId: field('代表', optionalId),
  companyId: field('药企', optionalId),
  productLineId: field('产品线', optionalId),
  adcode: z._default(z.nullable(adcode), null),
  startDate: field('开始日期', day, { example: '2026-01-01' }),
  endDate: field('结束日期', optionalDay),
  tags: field('标签', z._default(z.array(text('标签', 20, 1)).check(z.maxLength(10, '最多10个标签')), [])),
  remark: optionalText('备注', 200),
  costFen: field('投放费用', z._default(amount('投放费用'), 0), { kind: 'money' }),
  costNote: optionalText('费用说明', 200),
};
export const channelFieldKeys = keysOf(channelFields);
export type ChannelFields = z.output<z.ZodMiniObject<typeof channelFields>>;
/** For differences and conflicts; whom the channel belongs to stands there by name. */
export const channelLabels = without(labelsOf(channelFields), ['ownerId', 'companyId', 'productLineId']);

const facts = {
  id: idOut,
  channelNo: field('渠道编号', z.string()),
  parentId: z.nullable(idOut),
  parentName: field('上级渠道', z.nullable(z.string())),
  path: z.array(idOut),
  pathNames: field('名称', z.array(z.string()), { width: 240, text: (names) => names.join(' / ') }),
  depth: z.int(),
  ...answered(channelFields),
  channelType: field('类型', channelTypes.schema),
  agentName: field('代表', z.nullable(z.string())),
  costFen: field('投放费用（元）', fenOut),
  state: field('状态', channelStates.dictionary.schema),
  version: z.int(),
  codeCount: field('码数', z.int()),
  createdAt: z.string(),
};
const row = z.strictObject({ ...facts, ...sums });
export type ChannelRow = z.output<typeof row>;

/** GET by the specification; lists repeat as `state=A&state=B`. */
export const queryChannelList = service.list({
  operation: 'queryChannelList',
  label: '查询渠道',
  method: 'GET',
  access: may['channel.view'],
  filter: {
    ...sortedBy('channelNo', 'startDate', 'endDate', 'costFen', 'codeCount', 'pv', 'newDoctors', 'newPatients', 'firstOrders', 'payFen'),
    ...filters,
  },
  output: row,
});
export const exportChannelList = exportOf(queryChannelList, {
  operation: 'exportChannelList',
  label: '导出渠道',
  access: may['channel.export'],
});

export const queryChannelDetail = service.read({
  operation: 'queryChannelDetail',
  label: '查看渠道详情',
  access: may['channel.view'],
  input: { id },
  output: z.strictObject({
    ...facts,
    ...sums,
    children: z.int(),
    doctorCount: z.int(),
    patientCount: z.int(),
    trend: series,
    vips: z.array(
      z.strictObject({ id: idOut, vipNo: z.string(), level: z.string(), state: z.string(), startDate: z.string(), endDate: z.string() }),
    ),
    trail,
    allowedActions: z.array(z.string()),
  }),
});

export const queryChannelTree = service.read({
  operation: 'queryChannelTree',
  label: '查询渠道树',
  access: may['channel.view'],
  input: {},
  output: z.array(
    z.strictObject({
      id: idOut,
      parentId: z.nullable(idOut),
      name: z.string(),
      channelType: channelTypes.schema,
      state: channelStates.dictionary.schema,
      depth: z.int(),
      children: z.int(),
    }),
  ),
});

const inOrder = ordered('startDate', 'endDate', '结束日期不能早于开始日期');
type ByType = Pick<ChannelFields, 'agentId' | 'ownerName'> & { channelType: (typeof channelTypes.codes)[number] };
const hasAgent = ({ channelType, agentId }: ByType) => channelType !== 'AGENT' || agentId !== null;
const hasOwner = ({ channelType, ownerName }: ByType) => ownerless.includes(channelType) || !!ownerName;
const [NO_AGENT, NO_OWNER] = ['请选择代表', '请输入归属方'] as const;
/** What holds for each type of channel. */
export const channelByType = z
  .object({
    channelType: field('渠道类型', channelTypes.schema),
    agentId: channelFields.agentId,
    ownerName: channelFields.ownerName,
    startDate: channelFields.startDate,
    endDate: channelFields.endDate,
  })
  .check(between(['channelType', 'agentId'], hasAgent, NO_AGENT), between(['channelType', 'ownerName'], hasOwner, NO_OWNER), inOrder);

export const addChannel = service.act({
  operation: 'addChannel',
  label: '新增渠道',
  access: may['channel.edit'],
  message: '添加成功!',
  input: z
    .strictObject({
      parentId: field('上级渠道', optionalId),
      channelType: field('渠道类型', z.enum(channelTypes.codes, '请选择渠道类型')),
      ...channelFields,
    })
    // A child is of its root's type, whatever was sent.
    .check(
      between(['parentId', 'channelType', 'agentId'], (sent) => sent.parentId !== null || hasAgent(sent), NO_AGENT),
      between(['parentId', 'channelType', 'ownerName'], (sent) => sent.parentId !== null || hasOwner(sent), NO_OWNER),
      inOrder,
    ),
  output: added,
});
export const modifyChannel = service.act({
  operation: 'modifyChannel',
  label: '修改渠道',
  access: may['channel.edit'],
  input: z.strictObject({ id, version, ...channelFields }).check(inOrder),
  output: actionAnswer,
});
export const changeChannelState = service.act({
  operation: 'changeChannelState',
  label: '停用、启用渠道',
  access: may['channel.state'],
  input: { ...moveFields, action: field('操作', z.enum(['disable', 'enable'], '操作不正确')) },
  output: actionAnswer,
});
export const delChannel = service.act({
  operation: 'delChannel',
  label: '删除渠道',
  access: may['channel.edit'],
  input: { id, version },
  output: z.strictObject({ id: idOut }),
});
export const moveChannel = service.act({
  operation: 'moveChannel',
  label: '移动渠道',
  access: may['channel.edit'],
  input: { id, version, parentId: field('上级渠道', z.nullable(id)) },
  output: actionAnswer,
});
export const CHANNEL_IMPORTER = 'channel.channel';
export const importChannel = service.imports({ operation: 'importChannel', label: '导入渠道', access: may['channel.import'] });
export const queryChannelStat = service.read({
  operation: 'queryChannelStat',
  label: '渠道统计',
  access: may['channel.view'],
  input: {
    channelIds: field('渠道', several(id, 50)),
    from: field('开始日期', day),
    to: field('结束日期', day),
    groupBy: field('分组方式', z.enum(['DAY', 'CHANNEL', 'CODE', 'DOCTOR'], '分组方式不正确')),
  },
  output: z.strictObject({ series, funnel: z.array(z.strictObject({ label: z.string(), value: z.int() })) }),
});
const optionTypes = ['CHANNEL', 'SCENE', 'DOCTOR', 'AGENT', 'ASSISTANT', 'MEMBER', 'ITEM', 'USER', 'HOSPITAL', 'COMPANY', 'TAG'] as const;
/** `corpRowId` narrows members and tags to one company. */
export const querySelectOptions = service.read({
  operation: 'querySelectOptions',
  label: '查询选项',
  method: 'GET',
  access: access.session,
  input: {
    type: field('选项类型', z.enum(optionTypes, '选项类型不正确')),
    keyword: z.optional(text('关键字', 40)),
    ids: field('选项', z.optional(several(id, 100))),
    corpRowId: field('企业', z.optional(id)),
    limit: field(
      '条数',
      z._default(z.coerce.number().check(z.int('条数须为整数'), z.minimum(1, '条数从1开始'), z.maximum(50, '最多50条')), 20),
    ),
  },
  output: z.array(z.strictObject({ value: idOut, label: z.string(), extra: z.record(z.string(), z.unknown()) })),
});
