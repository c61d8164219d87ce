import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, optionalId, optionalText, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { applyPayload } from '#domains/institution/contract/applyCalls.ts';
import { qualApplyTypes } from '../dictionaries.ts';
import { idNo, mobile, personName } from '../fields.ts';
import { doctorMachinePermissions as machine } from '../permissions.ts';
import { certInputs, qualFacts } from '../qualFields.ts';
import { qualApplyMachine } from '../states.ts';

const service = declareService('DoctorRegisterService', 'gateway');

/** A doctor registers in the app. The same request again answers the same doctor. */
export const registerDoctor = service.act({
  operation: 'registerDoctor',
  label: '医生注册',
  access: access.signed(machine.register, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['mobile', 'idNo', 'scanToken'],
  input: z
    .strictObject({
      mobile,
      name: personName,
      idNo: z._default(z.nullable(idNo), null),
      hospitalId: field('执业机构', optionalId),
      /** A hospital that is not in the list: its facts go into audit first. */
      hospital: field('新医院', z._default(z.nullable(applyPayload), null)),
      departmentId: field('科室', optionalId),
      specialty: optionalText('擅长', 500),
      intro: optionalText('简介', 1000),
      invited: field('是否受邀', z._default(z.boolean(), false)),
      scanToken: field('扫码凭证', z.optional(z.string().check(z.maxLength(400, '扫码凭证过长')))),
    })
    .check(
      between(['hospital', 'hospitalId'], ({ hospital, hospitalId }) => (hospitalId === null) !== (hospital === null), '请选择执业机构'),
    ),
  output: z.strictObject({ doctorId: idOut, doctorNo: z.string(), operatorId: idOut, hospitalApplyId: z.nullable(idOut) }),
});

const { name: _name, hospitalApplyId: _apply, ...laterFacts } = qualFacts;
/** Certificates and facts of a registered doctor go into audit, for the first time or changed. */
export const submitDoctorQualification = service.act({
  operation: 'submitDoctorQualification',
  label: '医生提交资质',
  access: access.signed(machine.register, 'MINI_APP'),
  log: 'SYSTEM',
  secrets: ['facts', 'certs'],
  input: {
    doctorId: field('医生', id),
    applyType: field('申请类型', qualApplyTypes.schema),
    facts: field(
      '资料',
      z._default(
        z.partial(z.strictObject({ name: personName, ...laterFacts, hospitalId: field('执业机构', id), departmentId: field('科室', id) })),
        {},
      ),
    ),
    certs: certInputs,
  },
  output: z.strictObject({
    doctorId: idOut,
    operatorId: idOut,
    applyId: idOut,
    applyNo: z.string(),
    state: qualApplyMachine.dictionary.schema,
  }),
});

/** Addresses to upload pictures of certificates to; ended by `completeDoctorFile`. */
export const requestDoctorFiles = service.act({
  operation: 'requestDoctorFiles',
  label: '申请上传医生证件',
  access: access.signed(machine.register, 'MINI_APP'),
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
        .check(z.minLength(1, '请选择文件'), z.maxLength(6, '一次最多6个文件')),
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
export const completeDoctorFile = service.act({
  operation: 'completeDoctorFile',
  label: '完成上传医生证件',
  access: access.signed(machine.register, 'MINI_APP'),
  log: 'SYSTEM',
  input: { fileId: field('文件', id) },
  output: z.strictObject({ fileId: idOut, state: z.string() }),
});
