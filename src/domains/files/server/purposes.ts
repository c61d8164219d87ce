import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Context } from '#kernel/server/context.ts';
import { builtInPurposes, type Purpose } from '../contract/purposes.ts';
import { filePermissions } from '../contract/permissions.ts';

/** A purpose with the right to upload for it. */
export interface PurposeDeclaration extends Purpose {
  /** Permission codes of which one suffices. Absent: nobody but who may see all files. */
  uploadPermissions?: readonly string[];
}

const purposes = new Map<string, PurposeDeclaration>(builtInPurposes.map((purpose) => [purpose.code, purpose]));

/** Declares a purpose, or says who may upload for a built-in one. Called by the domain that owns the documents. */
export function definePurpose(purpose: PurposeDeclaration): void {
  purposes.set(purpose.code, purpose);
}

export const allPurposes = (): readonly PurposeDeclaration[] => [...purposes.values()];

export const purposeLabel = (code: string): string => purposes.get(code)?.label ?? code;

/** @throws Refusal SCM90020 when there is no such purpose. */
export function purposeOf(code: string): PurposeDeclaration {
  const purpose = purposes.get(code);
  if (!purpose) throw refuseField('purpose', '没有这种用途');
  return purpose;
}

/**
 * @param importPermissions permissions of all importers: one of them suffices for the purpose `IMPORT`
 * @throws Refusal SCM90020 for a purpose of the system, SCM90010 when the caller may not upload for it.
 */
export function requireUpload(purpose: PurposeDeclaration, ctx: Pick<Context, 'has'>, importPermissions: readonly string[]): void {
  if (purpose.system) throw refuseField('purpose', `${purpose.label}由系统生成，不能上传`);
  const codes = purpose.code === 'IMPORT' ? importPermissions : (purpose.uploadPermissions ?? [filePermissions['object.manage'].code]);
  if (!codes.some((code) => ctx.has(code))) {
    throw refuse(platformErrors.NO_PERMISSION, { permission: `上传${purpose.label}` });
  }
}
