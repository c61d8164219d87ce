import * as z from 'zod/mini';
import { between, coded } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, instant, opinion, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { closeReasons } from '../dictionaries.ts';
import { consultationErrors as errors } from '../errors.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId, inquiryFacts, inquiryMoved, serverStatus } from './shared.ts';

const service = declareService('InquiryService');
const gateway = declareService('InquiryService', 'gateway');

/** Current inquiry of a group, else its latest; `serverId` is null where there never was one. Source: the specification's payload. */
export const queryInquiryDetail = gateway.read({
  operation: 'queryInquiryDetail',
  label: '查看问诊',
  access: access.session,
  input: { groupId },
  output: z.strictObject(inquiryFacts),
});
export const queryInquiryIdByGroupId = gateway.read({
  operation: 'queryInquiryIdByGroupId',
  label: '查询问诊编号',
  access: access.session,
  input: { groupId },
  output: z.strictObject({ inquiryId: z.nullable(idOut), inquiryUserId: idOut }),
});
/** 结束问诊: only `serviceStatus` '4'. Source: the specification's payload, so it carries no version. */
export const modifyServiceStatusChange = gateway.act({
  operation: 'modifyServiceStatusChange',
  label: '结束问诊',
  access: may['inquiry.status'],
  input: { serviceId: field('服务', id), doctorId: field('医生', id), suffererId: field('患者', id), serviceStatus: serverStatus },
  output: z.strictObject({ serverStatus, endedAt: z.string(), version: z.int() }),
});

const inquiryActions = ['accept', 'refuse', 'cancel', 'requestEnd', 'extend', 'reopen'] as const;
export const auditInquiry = service.act({
  operation: 'auditInquiry',
  label: '处理问诊',
  access: access.byAction(
    'action',
    {
      accept: may['inquiry.accept'],
      refuse: may['inquiry.close'],
      cancel: may['inquiry.close'],
      requestEnd: may['chat.send'],
      extend: may['inquiry.extend'],
      reopen: may['inquiry.supervise'],
    },
    may['chat.send'],
  ),
  input: z
    .strictObject({
      serverId: field('问诊', id),
      version,
      action: field('操作', z.enum(inquiryActions, '操作不正确')),
      reasonCode: field('退诊原因', z.optional(z.enum(closeReasons.codes, '请选择退诊原因'))),
      opinion: z.optional(opinion),
      hours: field(
        '延长时长',
        z.optional(z.int('延长时长须为整数小时').check(coded(errors.EXTEND_RANGE, (hours) => hours >= 0 && hours <= 72))),
      ),
      rounds: field(
        '加赠轮次',
        z.optional(z.int('加赠轮次须为整数').check(coded(errors.EXTEND_RANGE, (rounds) => rounds >= 0 && rounds <= 10))),
      ),
    })
    .check(
      between(
        ['hours', 'rounds'],
        ({ hours, rounds }) => (hours === undefined && rounds === undefined) || (hours ?? 0) + (rounds ?? 0) > 0,
        errors.EXTEND_RANGE,
      ),
    ),
  output: inquiryMoved,
});
export const remindDoctor = service.act({
  operation: 'remindDoctor',
  label: '提醒医生',
  access: may['chat.send'],
  message: '已提醒医生',
  input: { serverId: field('问诊', id) },
  output: z.strictObject({ remindedAt: z.string() }),
});
export const addInquiry = service.act({
  operation: 'addInquiry',
  label: '代开问诊',
  access: may['inquiry.create'],
  secrets: ['chiefComplaint'],
  idempotency: 'required',
  input: {
    suffererOperatorId: field('患者', id),
    patientId: field('患者', z.optional(id)),
    openingId: field('医生服务', id),
    slotAt: field('预约时段', z.optional(instant)),
    source: field('来源', z.enum(['STAFF', 'DESK'], '来源不正确')),
    chiefComplaint: text('主诉', 1000, 5),
    attachmentFileIds: field('附件', z._default(z.array(id).check(z.maxLength(9, '最多9个附件')), [])),
    scanToken: z.optional(text('扫码凭证', 500)),
    groupId: z.optional(groupId),
  },
  output: z.strictObject({
    serverId: idOut,
    orderNo: z.string(),
    groupId: z.nullable(z.string()),
    payUrl: z.nullable(z.string()),
    payFen: z.string(),
  }),
});
