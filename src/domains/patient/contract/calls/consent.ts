import * as z from 'zod/mini';
import { flag, id, idOut, instant, optionalId, optionalText, text, textOrNull } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consentActions, consentSigners, consentStates, consentTypes } from '../dictionaries.ts';
import { at } from '../fields.ts';
import { patientPermissions as may } from '../permissions.ts';

const service = declareService('ConsentService');
const view = may['consent.view'];
const edit = may['consent.edit'];

const state = z.strictObject({
  consentType: consentTypes.schema,
  state: consentStates.schema,
  docVersion: textOrNull,
  at: textOrNull,
  currentVersion: textOrNull,
});
const consentRecord = z.strictObject({
  id: idOut,
  patientId: idOut,
  consentType: consentTypes.schema,
  docVersion: z.string(),
  act: consentActions.schema,
  by: consentSigners.schema,
  signerName: z.string(),
  channel: z.string(),
  evidenceFileId: textOrNull,
  note: z.string(),
  createdBy: textOrNull,
  at,
});
export const queryConsentList = service.read({
  operation: 'queryConsentList',
  label: '查询授权同意',
  access: view,
  input: { patientId: field('患者', id), consentType: field('同意书类型', z.optional(consentTypes.schema)) },
  output: z.strictObject({ states: z.array(state), history: z.array(consentRecord) }),
});
const answer = z.strictObject({
  patientId: idOut,
  consentType: consentTypes.schema,
  state: consentStates.schema,
  docVersion: z.string(),
  at,
});
/** Registered by staff: the paper that shows it is required. Absent version: the one in force. */
export const addConsent = service.act({
  operation: 'addConsent',
  label: '登记授权同意',
  access: edit,
  message: '登记成功!',
  input: {
    patientId: field('患者', id),
    consentType: field('同意书类型', consentTypes.schema),
    docVersion: z.optional(text('版本', 20, 1)),
    by: field('签署人', consentSigners.schema),
    signerName: optionalText('签署人', 32),
    evidenceFileId: field('证明材料', optionalId),
    note: optionalText('备注', 200),
  },
  output: answer,
});
export const withdrawConsent = service.act({
  operation: 'withdrawConsent',
  label: '撤回授权同意',
  access: edit,
  message: '撤回成功!',
  input: {
    patientId: field('患者', id),
    consentType: field('同意书类型', consentTypes.schema),
    by: field('签署人', consentSigners.schema),
    signerName: optionalText('签署人', 32),
    evidenceFileId: field('证明材料', optionalId),
    note: optionalText('备注', 200),
  },
  output: answer,
});
const consentText = z.strictObject({
  id: idOut,
  consentType: consentTypes.schema,
  docVersion: z.string(),
  title: z.string(),
  fileId: textOrNull,
  sha256: textOrNull,
  effectiveFrom: at,
  resign: z.boolean(),
  inForce: z.boolean(),
  createdBy: textOrNull,
  createdAt: at,
});
export type ConsentText = z.output<typeof consentText>;
export const queryConsentTextList = service.read({
  operation: 'queryConsentTextList',
  label: '查询协议文本',
  access: view,
  input: { consentType: field('同意书类型', z.optional(consentTypes.schema)) },
  output: z.array(consentText),
});
export const addConsentText = service.act({
  operation: 'addConsentText',
  label: '新增协议文本',
  access: edit,
  message: '新增成功!',
  input: {
    consentType: field('同意书类型', consentTypes.schema),
    docVersion: text('版本', 20, 1),
    title: text('协议名称', 60, 1),
    fileId: field('同意书文件', optionalId),
    effectiveFrom: field('生效时间', instant),
    resign: field('重新签署', z._default(flag, false)),
  },
  output: consentText,
});
