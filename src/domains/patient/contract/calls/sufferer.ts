import * as z from 'zod/mini';
import { mobileForm as plainMobile } from '#kernel/contract/plainText.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import {
  day,
  flag,
  id,
  idOut,
  intOrNull,
  optionalDay,
  optionalId,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import {
  accessKinds,
  bloodTypes,
  contactRelations,
  drinkings,
  idTypes,
  insuranceTypes,
  pregnancies,
  relations,
  revealFields,
  smokings,
  sources,
} from '../dictionaries.ts';
import { mobileForm, adcodeOrNull, at, fileIds, gender, personBrief, saved } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';
import { baseInfo } from './panel.ts';

const sufferer = declareService('SuffererService');
const view = may['patient.view'];
const edit = may['patient.edit'];

/** What a hit was found by. */
const pickerRow = z.strictObject({ ...personBrief.shape, matched: z.enum(['MOBILE', 'ID_NO', 'PATIENT_NO', 'NAME', 'NAME_BIRTH']) });
export type PickerRow = z.output<typeof pickerRow>;
export const queryPatientPicker = sufferer.read({
  operation: 'queryPatientPicker',
  label: '查找患者',
  access: view,
  ratePerMinute: 60,
  secrets: ['keyword', 'birthDate', 'mobileTail'],
  input: {
    keyword: text('关键字', 40, 1),
    birthDate: field('出生日期', z.optional(day)),
    mobileTail: field('手机号后四位', z.optional(z.string().check(z.regex(/^\d{4}$/, '请输入手机号后四位')))),
  },
  output: z.array(pickerRow),
});

const contact = z.strictObject({
  id: idOut,
  name: z.string(),
  relation: contactRelations.schema,
  mobileMasked: z.string(),
  idNoMasked: textOrNull,
  isGuardian: z.boolean(),
  proofFileId: textOrNull,
  version: z.int(),
});
export type ContactPerson = z.output<typeof contact>;

const patientDetail = z.strictObject({
  ...personBrief.shape,
  /** The id that was asked for; `canonicalId` is the record that opens. */
  askedId: idOut,
  canonicalId: idOut,
  mergedFrom: z.nullable(z.strictObject({ patientId: idOut, patientNo: z.string() })),
  idType: textOrNull,
  adcode: textOrNull,
  region: textOrNull,
  addressMasked: textOrNull,
  occupation: z.string(),
  medicalInsuranceType: textOrNull,
  source: sources.schema,
  realNameAt: textOrNull,
  deceasedOn: textOrNull,
  version: z.int(),
  coverLabels: z.array(z.string()),
  accounts: z.array(
    z.strictObject({
      operatorId: idOut,
      nick: z.string(),
      mobileMasked: textOrNull,
      relation: relations.schema,
      isDefault: z.boolean(),
      state: z.string(),
      lastLoginAt: textOrNull,
      persons: z.int(),
    }),
  ),
  contacts: z.array(contact),
  /** Other records that were merged into this one. */
  mergedIds: z.array(z.strictObject({ patientId: idOut, patientNo: z.string(), mergeNo: textOrNull })),
  diseaseTags: z.array(z.strictObject({ icd10: z.string(), name: z.string(), isPrimary: z.boolean() })),
  /** Medical facts; null for somebody who may not read records. */
  medical: z.nullable(
    z.strictObject({
      heightCm: intOrNull,
      weightG: intOrNull,
      bloodType: textOrNull,
      allergyHistory: z.string(),
      pastHistory: z.string(),
      familyHistory: z.string(),
      smoking: textOrNull,
      drinking: textOrNull,
      pregnancyState: textOrNull,
    }),
  ),
  alerts: baseInfo.shape.alerts,
  counts: z.strictObject({
    history: z.int(),
    suggestions: z.int(),
    orders: z.int(),
    inspections: z.int(),
    consents: z.int(),
    checks: z.int(),
    toUpload: z.int(),
    toRead: z.int(),
  }),
  /** Actions of `operatePatient`. */
  allowedActions: z.array(z.string()),
  /** Actions on the proof of identity: verify, toManual, manualPass, manualReject, reset. */
  realNameActions: z.array(z.string()),
  createdAt: at,
  updatedAt: at,
});
export type PatientDetail = z.output<typeof patientDetail>;
export const queryPatientDetail = sufferer.read({
  operation: 'queryPatientDetail',
  label: '打开患者档案',
  access: view,
  input: { patientId: field('患者', id), fromPage: z.optional(text('来源页面', 100)) },
  output: patientDetail,
});

/** Medical facts, each with what stands where nothing is said. */
const facts = {
  heightCm: z.nullable(z.int('身高须为整数厘米').check(z.minimum(30, '身高为30至250厘米'), z.maximum(250, '身高为30至250厘米'))),
  weightG: z.nullable(z.int('体重不正确').check(z.minimum(500, '体重为0.5至300千克'), z.maximum(300_000, '体重为0.5至300千克'))),
  bloodType: z.nullable(bloodTypes.schema),
  smoking: z.nullable(smokings.schema),
  drinking: z.nullable(drinkings.schema),
  pregnancyState: z.nullable(pregnancies.schema),
};
const tales = { allergyHistory: text('过敏史', 500), pastHistory: text('既往史', 1000), familyHistory: text('家族史', 1000) };
const measures = {
  heightCm: field('身高', z._default(facts.heightCm, null)),
  weightG: field('体重', z._default(facts.weightG, null)),
  bloodType: field('血型', z._default(facts.bloodType, null)),
  smoking: field('吸烟史', z._default(facts.smoking, null)),
  drinking: field('饮酒史', z._default(facts.drinking, null)),
  pregnancyState: field('孕产状态', z._default(facts.pregnancyState, null)),
  allergyHistory: z._default(tales.allergyHistory, ''),
  pastHistory: z._default(tales.pastHistory, ''),
  familyHistory: z._default(tales.familyHistory, ''),
};
/** In a change: what is not sent stays, since not everybody who edits a person reads the record. */
const sentMeasures = {
  heightCm: field('身高', z.optional(facts.heightCm)),
  weightG: field('体重', z.optional(facts.weightG)),
  bloodType: field('血型', z.optional(facts.bloodType)),
  smoking: field('吸烟史', z.optional(facts.smoking)),
  drinking: field('饮酒史', z.optional(facts.drinking)),
  pregnancyState: field('孕产状态', z.optional(facts.pregnancyState)),
  allergyHistory: z.optional(tales.allergyHistory),
  pastHistory: z.optional(tales.pastHistory),
  familyHistory: z.optional(tales.familyHistory),
};
const person = {
  name: personName('姓名', 32, 1),
  gender,
  idType: field('证件类型', z._default(z.nullable(idTypes.schema), null)),
  birthDate: field('出生日期', optionalDay),
  adcode: adcodeOrNull,
  occupation: optionalText('职业', 40),
  medicalInsuranceType: field('医保类型', z._default(z.nullable(insuranceTypes.schema), null)),
};
const idNo = z.nullable(z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32, '证件号过长')));
const mobile = z.nullable(z.string().check(z.overwrite(plainMobile), z.maxLength(20, '手机号格式不正确'), mobileForm));
const address = z.nullable(text('地址', 200));
const medicalSecrets = ['idNo', 'mobile', 'address', 'allergyHistory', 'pastHistory', 'familyHistory'] as const;

const duplicate = z.strictObject({ ...personBrief.shape, score: z.int(), reasons: z.array(z.string()) });
export type Duplicate = z.output<typeof duplicate>;
const savedPatient = z.strictObject({
  patientId: idOut,
  patientNo: z.string(),
  version: z.int(),
  possibleDuplicates: z.array(duplicate),
  mergeNo: textOrNull,
});
/** Refused with SCM09009 and `data.possibleDuplicates` unless `confirmed`. */
export const addPatient = sufferer.act({
  operation: 'addPatient',
  label: '新增患者',
  access: edit,
  message: '新增成功!',
  secrets: medicalSecrets,
  input: {
    ...person,
    idNo: field('证件号', z._default(idNo, null)),
    mobile: field('手机号', z._default(mobile, null)),
    address: z._default(address, null),
    ...measures,
    confirmed: field('确认', z._default(flag, false)),
  },
  output: savedPatient,
});
/** Sensitive fields are changed only where they are sent; the form knows them masked. */
export const modifyPatient = sufferer.act({
  operation: 'modifyPatient',
  label: '修改患者资料',
  access: edit,
  message: '修改成功!',
  secrets: medicalSecrets,
  input: {
    patientId: field('患者', id),
    version,
    ...person,
    idNo: field('证件号', z.optional(idNo)),
    mobile: field('手机号', z.optional(mobile)),
    address: z.optional(address),
    ...sentMeasures,
  },
  output: savedPatient,
});

export const revealPatientField = sufferer.act({
  operation: 'revealPatientField',
  label: '查看患者敏感信息',
  access: may['patient.reveal'],
  log: 'REVEAL',
  input: {
    patientId: field('患者', id),
    fields: field('字段', several(revealFields.schema, 5)),
    contactId: field('联系人', z.optional(id)),
    reason: z.optional(text('查看原因', 200)),
  },
  /** Absent values are null; the page hides them again after `seconds`. */
  output: z.strictObject({ values: z.array(z.strictObject({ field: revealFields.schema, value: textOrNull })), seconds: z.int() }),
});
export const breakGlass = sufferer.act({
  operation: 'breakGlass',
  label: '紧急查看档案',
  access: may['patient.breakGlass'],
  log: 'REVEAL',
  input: { patientId: field('患者', id), reason: optionalText('查看原因', 500) },
  output: z.strictObject({ patientId: idOut, until: at }),
});

const patientActions = ['freeze', 'unfreeze', 'cancel', 'markDeceased', 'correctDeceased'] as const;
export const operatePatient = sufferer.act({
  operation: 'operatePatient',
  label: '办理患者状态',
  access: access.byAction(
    'action',
    {
      freeze: may['patient.freeze'],
      unfreeze: may['patient.freeze'],
      cancel: may['privacy.handle'],
      markDeceased: may['patient.edit'],
      correctDeceased: may['patient.edit'],
    },
    may['patient.edit'],
  ),
  message: '操作成功!',
  input: {
    patientId: field('患者', id),
    version,
    action: field('操作', z.enum(patientActions, '操作不正确')),
    opinion: z.optional(text('意见', 500)),
    fileIds: field('附件', fileIds(3)),
    deceasedOn: field('身故日期', optionalDay),
    confirmed: field('确认', z._default(flag, false)),
    /** Request that a second person has put in hand; a cancellation needs one. */
    requestId: field('申请', z.optional(id)),
  },
  output: actionAnswer,
});

const contactFields = {
  name: personName('联系人姓名', 32, 1),
  relation: field('关系', contactRelations.schema),
  isGuardian: field('监护人', z._default(flag, false)),
  proofFileId: field('关系证明', optionalId),
};
export const addContactPerson = sufferer.act({
  operation: 'addContactPerson',
  label: '新增联系人',
  access: edit,
  message: '新增成功!',
  secrets: ['mobile', 'idNo'],
  input: {
    patientId: field('患者', id),
    ...contactFields,
    mobile: field('手机号', z.string('请输入手机号').check(z.trim(), z.maxLength(20, '手机号格式不正确'), mobileForm)),
    idNo: field('证件号', z._default(idNo, null)),
  },
  output: saved,
});
export const modifyContactPerson = sufferer.act({
  operation: 'modifyContactPerson',
  label: '修改联系人',
  access: edit,
  message: '修改成功!',
  secrets: ['mobile', 'idNo'],
  input: {
    id,
    version,
    ...contactFields,
    mobile: field('手机号', z.optional(z.string().check(z.trim(), z.maxLength(20, '手机号格式不正确'), mobileForm))),
    idNo: field('证件号', z.optional(idNo)),
  },
  output: saved,
});
export const delContactPerson = sufferer.act({
  operation: 'delContactPerson',
  label: '删除联系人',
  access: edit,
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({ id: idOut }),
});

export const queryRecordAccessList = sufferer.list({
  operation: 'queryRecordAccessList',
  label: '查询档案查看记录',
  access: may['access.view'],
  filter: {
    patientId: field('患者', id),
    from: field('开始日期', z.optional(day)),
    to: field('结束日期', z.optional(day)),
    kind: field('类型', z.optional(several(accessKinds.schema))),
  },
  output: z.strictObject({
    id: idOut,
    userId: z.nullable(idOut),
    displayName: z.string(),
    role: z.string(),
    kind: accessKinds.schema,
    fields: z.array(z.string()),
    reason: textOrNull,
    fromPage: textOrNull,
    at,
  }),
});
/** Field changes, state changes and merges of a record, newest first. */
export const queryPatientTrail = sufferer.read({
  operation: 'queryPatientTrail',
  label: '查询档案变更记录',
  access: may['access.view'],
  input: { patientId: field('患者', id) },
  output: trail,
});
/** Work that waits, as far as the caller may do it; null = may not. */
export const queryPatientQueues = sufferer.read({
  operation: 'queryPatientQueues',
  label: '查询患者待办数',
  access: view,
  input: {},
  output: z.strictObject({ manual: intOrNull, reports: intOrNull, merges: intOrNull, privacy: intOrNull }),
});
