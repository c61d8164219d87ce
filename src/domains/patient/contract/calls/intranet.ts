import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, optionalDay, optionalText, text, textOrNull, personName } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consentActions, consentStates, consentTypes, idTypes, inspectionKinds, minMethods, relations, sources } from '../dictionaries.ts';
import { at, externalRequestNo, fileIds, gender } from '../fields.ts';
import { patientMachinePermissions as machine } from '../permissions.ts';
import { realNameMachine } from '../states.ts';
import { indicatorInput } from './ehr.ts';

/** Calls of the patient's client, signed by its server. A repeated `externalRequestNo` gets the stored answer. */
const service = declareService('PatientService', 'intranet');

const person = {
  name: personName('姓名', 32, 1),
  gender: z._default(gender, 0),
  idType: field('证件类型', z._default(z.nullable(idTypes.schema), null)),
  idNo: field('证件号', z._default(z.nullable(z.string().check(z.trim(), z.toUpperCase(), z.maxLength(32, '证件号过长'))), null)),
  birthDate: field('出生日期', optionalDay),
  mobile: field('手机号', z._default(z.nullable(z.string().check(z.trim(), z.maxLength(20, '手机号格式不正确'))), null)),
};
export const resolvePatient = service.act({
  operation: 'resolvePatient',
  label: '建档或取档',
  access: access.signed(machine.register, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['idNo', 'mobile'],
  input: {
    externalRequestNo,
    ...person,
    source: field('来源', z._default(sources.schema, 'MINI')),
    sourceId: z.optional(text('来源编号', 64)),
    scanToken: z.optional(text('扫码凭证', 400)),
  },
  output: z.strictObject({
    patientId: idOut,
    patientNo: z.string(),
    created: z.boolean(),
    realNameState: realNameMachine.dictionary.schema,
  }),
});
/** Persons that the account could claim by its mobile number are answered, not bound. */
export const bindAccount = service.act({
  operation: 'bindAccount',
  label: '绑定登录账号',
  access: access.signed(machine.register, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['mobile'],
  input: {
    externalRequestNo,
    operatorId: field('账号', id),
    mobile: field('手机号', z.string('请输入手机号').check(z.trim(), z.maxLength(20, '手机号格式不正确'))),
    nick: z._default(personName('昵称', 40), ''),
    avatarFileId: field('头像', z._default(z.nullable(id), null)),
    openIds: z._default(z.array(text('微信标识', 64, 1)).check(z.maxLength(20, '最多20个微信标识')), []),
    patientId: field('患者', z.optional(id)),
    relation: field('与本人关系', z._default(relations.schema, 'SELF')),
    isDefault: field('默认就诊人', z._default(flag, false)),
  },
  output: z.strictObject({
    operatorId: idOut,
    created: z.boolean(),
    persons: z.array(z.strictObject({ patientId: idOut, name: z.string(), relation: relations.schema, isDefault: z.boolean() })),
    candidates: z.array(z.strictObject({ patientId: idOut, nameMasked: z.string(), idNoMasked: textOrNull })),
  }),
});
/** Addresses to upload pictures of a report to; ended by `completePatientFile`, then named in `submitInspection`. */
export const requestPatientFiles = service.act({
  operation: 'requestPatientFiles',
  label: '申请上传患者报告',
  access: access.signed(machine.report, 'MINI_APP'),
  log: 'SYSTEM',
  input: {
    files: field(
      '文件',
      z
        .array(
          z.strictObject({
            fileName: text('文件名', 255, 1),
            size: field('文件大小', z.int('文件大小须为整数').check(z.minimum(1, '文件为空'))),
            contentType: field('文件类型', z.string('缺少文件类型').check(z.maxLength(120, '文件类型过长'))),
          }),
          '请选择文件',
        )
        .check(z.minLength(1, '请选择文件'), z.maxLength(9, '一次最多9个文件')),
    ),
  },
  output: z.array(
    z.strictObject({
      fileId: idOut,
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      parts: z.array(z.strictObject({ no: z.int(), size: z.int(), url: z.string() })),
      expiresAt: z.string(),
    }),
  ),
});
export const completePatientFile = service.act({
  operation: 'completePatientFile',
  label: '完成上传患者报告',
  access: access.signed(machine.report, 'MINI_APP'),
  log: 'SYSTEM',
  input: { fileId: field('文件', id) },
  output: z.strictObject({ fileId: idOut, state: z.string() }),
});
export const submitInspection = service.act({
  operation: 'submitInspection',
  label: '上传检查报告',
  access: access.signed(machine.report, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['conclusion', 'indicators'],
  input: {
    externalRequestNo,
    patientId: field('患者', id),
    kind: field('类型', inspectionKinds.schema),
    itemName: text('项目名称', 60, 1),
    hospitalName: optionalText('医院', 100),
    inspectionTime: field('检查时间', instant),
    conclusion: optionalText('结论', 2000),
    fileIds: field('附件', fileIds()),
    indicators: field('指标', z._default(z.array(indicatorInput).check(z.maxLength(60, '最多60项指标')), [])),
    inspectionId: field('检查', z.optional(id)),
  },
  output: z.strictObject({ inspectionId: idOut, inspectionNo: z.string(), status: z.string() }),
});
export const submitConsent = service.act({
  operation: 'submitConsent',
  label: '提交授权同意',
  access: access.signed(machine.consent, 'MINI_APP'),
  log: 'SYSTEM',
  input: {
    externalRequestNo,
    patientId: field('患者', id),
    consentType: field('同意书类型', consentTypes.schema),
    act: field('同意操作', consentActions.schema),
    docVersion: z.optional(text('版本', 20, 1)),
    by: field('签署人', z.enum(['SELF', 'GUARDIAN'], '签署人不正确')),
    signerName: optionalText('签署人', 32),
    channel: text('渠道', 20, 1),
  },
  output: z.strictObject({ patientId: idOut, consentType: consentTypes.schema, state: consentStates.schema, docVersion: z.string(), at }),
});
export const submitRealName = service.act({
  operation: 'submitRealName',
  label: '提交实名核验',
  access: access.signed(machine.realName, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['idNo', 'mobile'],
  input: {
    externalRequestNo,
    patientId: field('患者', id),
    method: field('核验方式', z._default(minMethods.schema, 'ID2')),
    name: personName('姓名', 32, 1),
    idType: field('证件类型', z._default(idTypes.schema, 'ID')),
    idNo: field('证件号', z.string('请输入证件号').check(z.trim(), z.toUpperCase(), z.maxLength(32, '证件号过长'))),
    mobile: field('手机号', z.optional(z.string().check(z.trim(), z.maxLength(20, '手机号格式不正确')))),
  },
  output: z.strictObject({ patientId: idOut, state: realNameMachine.dictionary.schema }),
});
