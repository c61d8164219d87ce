import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { ordered } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  opinion,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import type { PermissionDeclaration } from '#kernel/contract/permission.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { acceptStates, certTypes, itemTypes, sourceTypes, titles } from '../dictionaries.ts';
import { doctorDetail, portrait } from './doctorDetail.ts';
import { adcode, mobile } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { certInputs, listedAnswer, qualFacts } from '../qualFields.ts';
import { accountMachine, qualMachine } from '../states.ts';
import { publicText } from '../wording.ts';

export { querySelectOptions } from './options.ts';

const service = declareService('DoctorInfoService');
const gateway = declareService('DoctorInfoService', 'gateway');
const accountState = field('账号状态', accountMachine.dictionary.schema);
const qualState = field('认证状态', qualMachine.dictionary.schema);
const named = z.strictObject({ id: idOut, name: z.string() });

const doctorFilters = {
  doctorNo: z.optional(wholeText('医生编号', 30)),
  /** Name, full pinyin or initials. */
  name: z.optional(personName('姓名', 30)),
  /** Exact. */
  mobile: z.optional(text('手机号', 20)),
  hospitalId: field('医院', z.optional(id)),
  departmentId: field('科室', z.optional(id)),
  /** Standard department; a group stands for all below it. */
  standardDeptCode: field('科室', z.optional(z.string('科室不正确').check(z.regex(/^[0-9]{2}(\.[0-9]{2})?$/, '科室不正确')))),
  titleCode: field('职称', z.optional(several(titles.schema))),
  qualState: z.optional(several(qualState)),
  accountState: z.optional(several(accountState)),
  acceptState: field('接诊状态', z.optional(acceptStates.schema)),
  adcode: z.optional(adcode),
  diseaseId: field('病种', z.optional(id)),
  channelId: field('渠道', z.optional(id)),
  /** A certificate in force ends within so many days. */
  certExpireWithin: field(
    '证件到期',
    z.optional(
      z.pipe(
        z.union([z.number(), z.string()]),
        z.pipe(z.transform(Number), z.int('天数不正确').check(z.minimum(0, '天数不正确'), z.maximum(90, '最多90天'))),
      ),
    ),
  ),
  registeredFrom: field('注册时间起', z.optional(instant)),
  registeredTo: field('注册时间止', z.optional(instant)),
  recommended: field('推荐中', z.optional(flag)),
};

const doctorRow = z.strictObject({
  doctorId: idOut,
  doctorNo: field('医生编号', z.string(), { width: 160 }),
  operatorId: z.string(),
  name: field('姓名', z.string()),
  avatarFileId: textOrNull,
  avatar: portrait,
  ...listedAnswer,
  /** Masked. */
  mobile: field('手机号', z.string()),
  hospitalId: textOrNull,
  hospitalName: field('医院', textOrNull, { width: 240 }),
  hospitalPending: z.boolean(),
  departmentName: field('科室', textOrNull, { width: 128 }),
  adcode: textOrNull,
  region: field('地区', z.string(), { width: 192 }),
  diseases: field('病种', z.array(named), { width: 240, text: (diseases) => diseases.map(({ name }) => name).join('、') }),
  qualState,
  accountState,
  practiceOk: z.boolean(),
  acceptState: field('接诊', acceptStates.schema),
  offUntil: textOrNull,
  openingCount: field('已开通服务', z.int()),
  assistantName: field('主医助', textOrNull),
  channelId: textOrNull,
  channelName: field('渠道', textOrNull, { width: 192 }),
  agentName: field('代表', textOrNull),
  /** The certificate that ends next within 60 days or has ended. */
  certWarning: field('证件预警', z.nullable(z.strictObject({ certType: certTypes.schema, validTo: z.string(), daysLeft: z.int() })), {
    width: 240,
    text: (warning) => (warning === null ? '' : `${certTypes.label(warning.certType)} ${warning.validTo}`),
  }),
  openApplyId: textOrNull,
  sourceType: field('来源', sourceTypes.schema),
  createdAt: field('注册时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type DoctorRow = z.output<typeof doctorRow>;

export const queryDoctorList = service.list({
  operation: 'queryDoctorList',
  label: '查询医生列表',
  access: may['doctor.view'],
  filter: { ...doctorFilters, ...sortedBy('doctorNo', 'name', 'createdAt') },
  output: doctorRow,
});

/** Numbers on the tabs of the page. */
export const queryDoctorCounts = service.read({
  operation: 'queryDoctorCounts',
  label: '统计医生',
  access: may['doctor.view'],
  input: {},
  output: z.strictObject({
    all: z.int(),
    audit: z.int(),
    mine: z.int(),
    recheck: z.int(),
    returned: z.int(),
    certs: z.int(),
    frozen: z.int(),
    recommend: z.int(),
  }),
});

export const queryDoctorDetail = service.read({
  operation: 'queryDoctorDetail',
  label: '查询医生详情',
  access: may['doctor.view'],
  input: { doctorId: field('医生', id) },
  output: doctorDetail,
});

/** What the chat page shows of a doctor. Held by who may view doctors or takes part in chats. */
export const queryDoctorInfoByOperatorId = gateway.read({
  operation: 'queryDoctorInfoByOperatorId',
  label: '查询会话中的医生',
  access: access.owner(may['doctor.view']),
  input: { operatorId: field('用户', id) },
  output: z.strictObject({
    doctorId: idOut,
    operatorId: z.string(),
    doctorName: z.string(),
    avatar: textOrNull,
    titleCode: z.nullable(titles.schema),
    titleName: textOrNull,
    hospitalName: textOrNull,
    departmentName: textOrNull,
    specialty: z.string(),
    qualState,
    practiceOk: z.boolean(),
    acceptState: acceptStates.schema,
    offUntil: textOrNull,
    openings: z.array(z.strictObject({ openingId: idOut, itemId: idOut, name: z.string(), itemType: itemTypes.schema, priceFen: z.int() })),
    assistant: z.nullable(z.strictObject({ assistantId: idOut, name: z.string() })),
  }),
});

/** Changed at once, without an application. */
const plainFacts = {
  avatarFileId: field('头像', z._default(z.nullable(id), null)),
  specialty: publicText('擅长', 500),
  intro: publicText('简介', 1000),
  diseaseIds: field('擅长病种', z._default(z.array(id).check(z.maxLength(20, '病种最多20个')), [])),
};
const doctorAnswer = z.strictObject({ doctorId: idOut, doctorNo: z.string(), applyId: textOrNull, applyNo: textOrNull, version: z.int() });

export const addDoctorInfo = service.act({
  operation: 'addDoctorInfo',
  label: '新增医生',
  access: may['qual.enter'],
  message: '新增成功!',
  input: { mobile, ...plainFacts, ...qualFacts, certs: certInputs },
  output: doctorAnswer,
});
/** Facts that an audit has to look at become an application; the others change at once. Absent mobile and number stay. */
export const modifyDoctorInfo = service.act({
  operation: 'modifyDoctorInfo',
  label: '编辑医生',
  access: may['qual.enter'],
  message: '修改成功!',
  input: {
    doctorId: field('医生', id),
    version,
    mobile: z.optional(mobile),
    ...plainFacts,
    ...qualFacts,
    idNo: z.optional(qualFacts.idNo),
    certs: certInputs,
  },
  output: doctorAnswer,
});

const stateChange = (operation: string, label: string, permission: PermissionDeclaration) =>
  service.act({
    operation,
    label,
    access: permission,
    message: '修改成功!',
    input: { doctorId: field('医生', id), version, opinion },
    output: actionAnswer,
  });
export const freezeDoctor = stateChange('freezeDoctor', '冻结医生', may['doctor.freeze']);
export const unfreezeDoctor = stateChange('unfreezeDoctor', '解冻医生', may['doctor.freeze']);
export const cancelDoctor = stateChange('cancelDoctor', '注销医生', may['doctor.cancel']);
export const changeAcceptState = service.act({
  operation: 'changeAcceptState',
  label: '停诊、恢复接诊',
  access: may['qual.enter'],
  message: '修改成功!',
  input: z
    .strictObject({
      doctorId: field('医生', id),
      version,
      acceptState: field('接诊状态', acceptStates.schema),
      offFrom: field('停诊开始', z._default(z.nullable(day), null)),
      offUntil: field('停诊结束', z._default(z.nullable(day), null)),
      opinion: text('医生的说明', 500, 2),
    })
    .check(ordered('offFrom', 'offUntil', '停诊止不能早于停诊起')),
  output: actionAnswer,
});

export const DOCTOR_IMPORTER = 'doctor.doctor';
export const importDoctor = service.imports({ operation: 'importDoctor', label: '导入医生', access: may['doctor.import'] });
export const exportDoctorList = exportOf(queryDoctorList, {
  operation: 'exportDoctorList',
  label: '导出医生',
  access: may['doctor.export'],
});

export const revealDoctorField = service.act({
  operation: 'revealDoctorField',
  label: '查看医生敏感信息',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: {
    doctorId: field('医生', id),
    field: field('字段', z.enum(['mobile', 'idNo', 'certNo'], '字段不正确')),
    certId: field('证件', z.optional(id)),
    reason: z.optional(text('查看原因', 200)),
  },
  output: z.strictObject({ value: textOrNull }),
});
