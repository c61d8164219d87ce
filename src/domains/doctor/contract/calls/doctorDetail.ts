import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { dayOut, idOut, instantOut, numberOrNull, textOrNull } from '#kernel/contract/fields.ts';
import { trail } from '#kernel/contract/trail.ts';
import {
  acceptStates,
  bindRoles,
  careKinds,
  certTypes,
  genders,
  itemTypes,
  qualApplyTypes,
  sourceTypes,
  verifySources,
} from '../dictionaries.ts';
import { at } from '../fields.ts';
import { directAnswer } from '../qualFields.ts';
import { cardMachine } from '../staffStates.ts';
import { accountMachine, certMachine, openingMachine, qualApplyMachine, qualMachine } from '../states.ts';

const accountState = accountMachine.dictionary.schema;
const qualState = qualMachine.dictionary.schema;
const named = z.strictObject({ id: idOut, name: z.string() });
/** Address of the picture, good for half an hour. */
export const portrait = textOrNull;

export const certOut = z.strictObject({
  certId: idOut,
  certType: certTypes.schema,
  certNo: textOrNull,
  fileIds: z.array(z.string()),
  hospitalName: textOrNull,
  issuer: z.string(),
  issuedOn: textOrNull,
  validFrom: textOrNull,
  validTo: textOrNull,
  verifySource: z.nullable(verifySources.schema),
  verifyFileId: textOrNull,
  verifiedBy: textOrNull,
  state: certMachine.dictionary.schema,
  daysLeft: numberOrNull,
  createdAt: at,
});
const openingOut = z.strictObject({
  openingId: idOut,
  itemId: idOut,
  name: z.string(),
  itemType: itemTypes.schema,
  careKind: careKinds.schema,
  priceFen: z.int(),
  dailyLimit: z.int(),
  state: openingMachine.dictionary.schema,
  effectiveAt: textOrNull,
});
const bindOut = z.strictObject({
  assistantId: idOut,
  name: z.string(),
  role: bindRoles.schema,
  startedAt: at,
  endedAt: textOrNull,
  endReason: textOrNull,
});
const attributionOut = z.strictObject({
  channelId: textOrNull,
  channelName: textOrNull,
  agentName: textOrNull,
  method: z.string(),
  startedAt: at,
  endedAt: textOrNull,
});

/** What an application proposed that was returned: the form goes on from there. */
const returnedApply = z.strictObject({
  applyNo: z.string(),
  applyType: qualApplyTypes.schema,
  doctorWording: z.string(),
  wantedCerts: z.array(certTypes.schema),
  certTypes: z.array(certTypes.schema),
  name: textOrNull,
  hospitalId: textOrNull,
  hospitalApplyId: textOrNull,
  hospitalApplyName: textOrNull,
  departmentId: textOrNull,
  ...directAnswer,
});

export const doctorDetail = z.strictObject({
  doctorId: idOut,
  doctorNo: z.string(),
  operatorId: field('平台账号ID', z.string()),
  name: field('姓名', z.string()),
  gender: field('性别', z.nullable(genders.schema)),
  birthDate: field('出生日期', z.nullable(dayOut)),
  avatarFileId: textOrNull,
  avatar: portrait,
  mobile: field('手机号', z.string()),
  idNo: field('身份证号', textOrNull),
  hospitalId: textOrNull,
  hospitalName: textOrNull,
  hospitalLevel: textOrNull,
  hospitalApplyId: textOrNull,
  hospitalApplyName: textOrNull,
  departmentId: textOrNull,
  departmentName: field('科室', textOrNull),
  standardDeptCode: textOrNull,
  ...directAnswer,
  adcode: textOrNull,
  region: field('地区', z.string()),
  specialty: field('擅长', z.string()),
  intro: field('简介', z.string()),
  diseases: field('病种', z.array(named)),
  marks: z.array(named),
  sourceType: field('来源', sourceTypes.schema),
  accountState,
  qualState,
  qualReason: field('认证说明', textOrNull),
  submittedAt: field('最近提交认证', z.nullable(instantOut)),
  practiceOk: z.boolean(),
  acceptState: field('接诊', acceptStates.schema),
  offFrom: textOrNull,
  offUntil: textOrNull,
  responseMedianMin: numberOrNull,
  ratingBp: numberOrNull,
  servedCount: z.int(),
  unsettledFen: z.int(),
  version: z.int(),
  createdAt: field('注册时间', instantOut),
  updatedAt: at,
  updatedBy: textOrNull,
  practices: z.array(
    z.strictObject({ hospitalId: idOut, hospitalName: z.string(), isMain: z.boolean(), validFrom: textOrNull, validTo: textOrNull }),
  ),
  /** In force, ended and replaced ones; newest first. */
  certs: z.array(certOut),
  applies: z.array(
    z.strictObject({
      applyId: idOut,
      applyNo: z.string(),
      applyType: z.string(),
      state: qualApplyMachine.dictionary.schema,
      submittedAt: textOrNull,
      createdAt: at,
    }),
  ),
  returned: z.nullable(returnedApply),
  openings: z.array(openingOut),
  binds: z.array(bindOut),
  recommendations: z.array(
    z.strictObject({
      id: idOut,
      position: z.string(),
      scopeKey: z.string(),
      startAt: at,
      endAt: at,
      state: z.string(),
      reason: z.string(),
    }),
  ),
  card: z.nullable(
    z.strictObject({
      cardId: idOut,
      state: cardMachine.dictionary.schema,
      template: z.string(),
      headline: z.string(),
      cardFileId: textOrNull,
      posterFileId: textOrNull,
      failReason: textOrNull,
      shareCount: z.int(),
      scanCount: z.int(),
      updatedAt: at,
    }),
  ),
  attributions: z.array(attributionOut),
  orders: z.strictObject({
    total: z.int(),
    running: z.int(),
    payFen: z.int(),
    refundedFen: z.int(),
    recent: z.array(
      z.strictObject({
        orderId: idOut,
        orderNo: z.string(),
        itemName: z.string(),
        patientName: z.string(),
        payFen: z.int(),
        state: z.string(),
        createdAt: at,
      }),
    ),
  }),
  allowedActions: z.array(z.string()),
  acceptActions: z.array(z.string()),
  trail,
});
export type DoctorDetail = z.output<typeof doctorDetail>;
