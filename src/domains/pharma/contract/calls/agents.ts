import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  id,
  idOut,
  opinion,
  several,
  text,
  textOrNull,
  version,
  mobileText,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { agentRanks, filingFilters, handoverReasons } from '../dictionaries.ts';
import { agentLabels } from '../labels.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { agentMachine, handoverMachine } from '../states.ts';
import { ADDED, CHANGED, acted, maybe } from './declare.ts';
import { agentService } from './services.ts';

const state = agentMachine.dictionary.schema;
const adcode = z.string().check(z.regex(/^\d{6}$/, '地区代码为6位数字'));

const agentFilter = {
  agentNo: z.optional(wholeText('代表编号', 30)),
  name: z.optional(personName('姓名', 30)),
  /** Exact. */
  mobile: z.optional(text('手机号', 20)),
  companyId: field('药企', z.optional(id)),
  lineId: field('产品线', z.optional(id)),
  rank: field('职级', z.optional(several(agentRanks.schema))),
  /** The person and everybody below. */
  parentId: field('上级（含下属）', z.optional(id)),
  adcode: field('区域', z.optional(adcode)),
  state: z.optional(several(state)),
  filing: field('备案', z.optional(filingFilters.schema)),
};

const lineOut = z.strictObject({ lineId: idOut, name: z.string() });

export const agentRow = z.strictObject({
  id: idOut,
  agentNo: field('代表编号', z.string(), { width: 160 }),
  name: field(agentLabels.name, z.string()),
  namePinyin: z.string(),
  /** Masked. */
  mobile: field(agentLabels.mobile, textOrNull, { mask: 'mobile' }),
  idNo: textOrNull,
  email: textOrNull,
  avatarFileId: textOrNull,
  companyId: idOut,
  companyName: field('药企', z.string(), { width: 160 }),
  companyAgentCode: field(agentLabels.companyAgentCode, textOrNull),
  rank: field(agentLabels.rank, agentRanks.schema),
  parentId: textOrNull,
  parentName: field(agentLabels.parentName, textOrNull),
  lines: field(agentLabels.lines, z.array(lineOut), { width: 192, text: (lines) => lines.map(({ name }) => name).join('、') }),
  adcodes: z.array(z.string()),
  regionNames: field(agentLabels.regionNames, z.array(z.string()), { width: 192 }),
  hospitalIds: z.array(z.string()),
  filingNo: field(agentLabels.filingNo, textOrNull),
  filingValidTo: field(agentLabels.filingValidTo, z.nullable(dayOut)),
  filingFileId: textOrNull,
  filingOk: z.boolean(),
  userId: textOrNull,
  joinedOn: field(agentLabels.joinedOn, z.nullable(dayOut)),
  leftOn: field('离职日期', z.nullable(dayOut)),
  previousAgentId: textOrNull,
  suspendReason: textOrNull,
  doctorCount: field('绑定医生', z.int()),
  channelCount: field('渠道', z.int()),
  monthNewDoctors: field('本月新增医生', z.int()),
  teamSize: z.int(),
  state: field('状态', state),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type AgentRow = z.output<typeof agentRow>;

const agentDoctorOut = z.strictObject({
  doctorId: idOut,
  doctorName: z.string(),
  hospitalName: z.string(),
  titleCode: textOrNull,
  qualState: textOrNull,
  productLineId: idOut,
  productLineName: z.string(),
  since: z.string(),
  until: textOrNull,
});
const agentChannelOut = z.strictObject({
  channelId: idOut,
  channelNo: z.string(),
  name: z.string(),
  channelType: z.string(),
  state: z.string(),
  scans30: z.int(),
});

const fields = {
  name: personName('姓名', 30, 1),
  mobile: field('手机号', mobileText('请输入11位手机号码', '请输入手机号')),
  idNo: field(
    '身份证号',
    maybe(
      z
        .string()
        .check(z.trim(), z.toUpperCase(), z.maxLength(18, '请输入18位身份证号码'), z.regex(/^$|^\d{17}[\dX]$/, '请输入18位身份证号码')),
    ),
  ),
  email: field(
    '邮箱',
    maybe(z.string().check(z.trim(), z.maxLength(100, '邮箱最多100个字符'), z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]+$/, '请输入正确的邮箱'))),
  ),
  avatarFileId: field('头像', maybe(id)),
  companyAgentCode: maybe(text('药企内部工号', 40)),
  rank: field('职级', agentRanks.schema),
  lineIds: field('产品线', z._default(z.array(id).check(z.maxLength(50, '产品线最多50条')), [])),
  adcodes: field('区域', z._default(z.array(adcode).check(z.maxLength(200, '区域最多200个')), [])),
  hospitalIds: field('服务医院', z._default(z.array(id).check(z.maxLength(500, '医院最多500家')), [])),
  filingNo: maybe(text('备案号', 60)),
  filingValidTo: field('备案有效期', maybe(day)),
  filingFileId: field('备案文件', maybe(id)),
  userId: field('登录账号', maybe(id)),
  joinedOn: field('入职日期', maybe(day)),
};

export const queryAgentList = agentService.list({
  operation: 'queryAgentList',
  label: '查询医药代表',
  access: may['agent.view'],
  filter: {
    ...agentFilter,
    ...sortedBy('agentNo', 'name', 'filingValidTo', 'doctorCount', 'channelCount', 'monthNewDoctors', 'joinedOn', 'leftOn'),
  },
  output: agentRow,
});
export const queryAgentDetail = agentService.read({
  operation: 'queryAgentDetail',
  label: '查询医药代表详情',
  access: may['agent.view'],
  input: { agentId: field('代表', id) },
  output: z.strictObject({
    agent: agentRow,
    upline: z.array(z.strictObject({ id: idOut, agentNo: z.string(), name: z.string(), rank: agentRanks.schema })),
    team: z.array(
      z.strictObject({
        id: idOut,
        agentNo: z.string(),
        name: z.string(),
        rank: agentRanks.schema,
        parentId: textOrNull,
        level: z.int(),
        doctorCount: z.int(),
        state,
      }),
    ),
    doctors: z.array(agentDoctorOut),
    channels: z.array(agentChannelOut),
    /** Served; a merged one under the name that it has now. */
    hospitals: z.array(z.strictObject({ hospitalId: idOut, name: z.string() })),
    /** New doctors of the last twelve months, oldest first. */
    trend: z.array(z.strictObject({ month: z.string(), newDoctors: z.int() })),
    handovers: z.array(
      z.strictObject({
        id: idOut,
        handoverNo: z.string(),
        reason: handoverReasons.schema,
        effectiveOn: z.string(),
        state: handoverMachine.dictionary.schema,
        createdAt: z.string(),
      }),
    ),
    timeline: trail,
  }),
});
const agentNode = z.strictObject({
  id: idOut,
  agentNo: z.string(),
  name: z.string(),
  rank: agentRanks.schema,
  parentId: textOrNull,
  state,
  childCount: z.int(),
  /** Of the whole branch, the person included. */
  headCount: z.int(),
  doctorTotal: z.int(),
  version: z.int(),
});
/** One level: the top of a company, or the people directly below `rootId`. */
export const queryAgentTree = agentService.read({
  operation: 'queryAgentTree',
  label: '查询代表架构',
  access: may['agent.view'],
  input: { companyId: field('药企', id), rootId: field('代表', z.optional(id)) },
  output: z.array(agentNode),
});
export const addAgent = agentService.act({
  operation: 'addAgent',
  label: '新增医药代表',
  access: may['agent.edit'],
  ...ADDED,
  input: { companyId: field('药企', id), parentId: field('上级', maybe(id)), previousAgentId: field('原代表', maybe(id)), ...fields },
  output: agentRow,
});
export const modifyAgent = agentService.act({
  operation: 'modifyAgent',
  label: '修改医药代表',
  access: may['agent.edit'],
  ...CHANGED,
  input: { id, version, ...fields, mobile: field('手机号', z.optional(fields.mobile)), idNo: field('身份证号', fields.idNo) },
  output: agentRow,
});
export const changeAgentState = agentService.act({
  operation: 'changeAgentState',
  label: '激活、冻结、解冻代表',
  access: access.byAction(
    'action',
    { activate: may['agent.edit'], freeze: may['agent.state'], unfreeze: may['agent.state'] },
    may['agent.edit'],
  ),
  ...CHANGED,
  input: { id, version, action: field('操作', z.enum(['activate', 'freeze', 'unfreeze'], '操作不正确')), opinion: z.optional(opinion) },
  output: acted(state),
});
export const changeAgentParent = agentService.act({
  operation: 'changeAgentParent',
  label: '调整代表上级',
  access: may['agent.edit'],
  message: '调整成功',
  input: { id, version, parentId: field('上级', z.nullable(id)) },
  output: z.strictObject({ id: idOut, version: z.int(), moved: z.int() }),
});
export const addAgentLines = agentService.act({
  operation: 'addAgentLines',
  label: '代表增加产品线',
  access: may['agent.edit'],
  ...CHANGED,
  input: {
    id,
    version,
    lineIds: field('产品线', z.array(id, '请选择产品线').check(z.minLength(1, '请选择产品线'), z.maxLength(50, '产品线最多50条'))),
  },
  output: agentRow,
});
export const importAgent = agentService.imports({ operation: 'importAgent', label: '导入医药代表', access: may['agent.edit'] });
export const exportAgentList = exportOf(queryAgentList, {
  operation: 'exportAgentList',
  label: '导出医药代表',
  access: may['agent.export'],
});
export const revealAgentField = agentService.reveal({
  operation: 'revealAgentField',
  label: '查看代表敏感信息',
  access: may['sensitive.reveal'],
  input: {
    field: field('字段', z.enum(['mobile', 'idNo'], '字段不正确')),
  },
});
