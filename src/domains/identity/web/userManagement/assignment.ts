import type { InputOf } from '#kernel/contract/call.ts';
import type { addUserInfo } from '../../contract/calls/users.ts';
import { EVERYTHING } from '../shared/scope.ts';
import type { Scope } from '../shared/scope.ts';

/** One role of a user as the forms hold it. */
export interface AssignmentValues {
  roleId?: string | null;
  scope?: Scope;
  validFrom?: string | null;
  validTo?: string | null;
}

export const newAssignmentValues = (): AssignmentValues => ({ scope: EVERYTHING });

/** Scope as the calls take it. */
export const scopeInput = (scope: Scope = EVERYTHING) => ({
  own: scope.own,
  region: scope.region,
  insurer: scope.insurer,
  channel: scope.channel,
});

export const assignmentInput = ({ roleId, scope, validFrom, validTo }: AssignmentValues): InputOf<typeof addUserInfo>['roles'][number] => ({
  roleId: roleId ?? '',
  scope: scopeInput(scope),
  ...(validFrom && { validFrom }),
  ...(validTo && { validTo }),
});
