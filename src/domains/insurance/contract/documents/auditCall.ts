import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, id, optionalText, version } from '#kernel/contract/fields.ts';

const actions = ['submit', 'recall', 'approve', 'reject', 'withdraw', 'endVersion'] as const;
export type AuditAction = (typeof actions)[number];

/** Input of the audit calls of all dated documents. */
export const auditInput = {
  id,
  version,
  action: field('操作', z.enum(actions, '操作不正确')),
  /** Change note of a submission, opinion of everything else. */
  opinion: optionalText('意见', 200),
  effectiveTo: field('失效日', z.optional(day)),
};

type Right = { code: string };
/** Which right each action asks for. */
export const auditRights = (edit: Right, audit: Right): Record<AuditAction, Right> => ({
  submit: edit,
  recall: edit,
  approve: audit,
  reject: audit,
  withdraw: audit,
  endVersion: audit,
});
