import { platformErrors, refuse } from '../../contract/errors.ts';
import { dayOf, type Instant } from '../../contract/time.ts';
import type { Call } from '../../contract/call.ts';
import type { ApiClient, Context, Difference, Origin, Participant, Staff, Target } from '../context.ts';

export interface RequestFacts {
  traceId: string;
  call: Call;
  now: Instant;
  ip: string;
  userAgent: string;
  ifMatch: number | null;
  idempotencyKey: string | null;
  token: string | null;
  staff: Staff | null;
  client: ApiClient | null;
  participant: Participant | null;
  permissionLabel(code: string): string;
  nameOf(userId: string): Promise<string | null>;
  cookie(name: string): string | null;
  header(name: string, value: string): void;
  /** The page of definitions for which the call is made. */
  origin?: Origin;
}

/** What the operation log will say of the request beside its outcome. */
export interface LogNotes {
  targets: Target[];
  differences: Difference[];
  /** A logged call was made inside of this one: its row records what was done. */
  isLogged?: boolean;
}

/** Builds the part of the context that every kind of handler has. */
export function makeContext(facts: RequestFacts): Context {
  const { staff, client, permissionLabel, ...rest } = facts;
  const codeOf = (permission: string | { code: string }) => (typeof permission === 'string' ? permission : permission.code);
  const has = (permission: string | { code: string }) => (staff?.permissions ?? client?.permissions)?.has(codeOf(permission)) ?? false;
  return {
    ...rest,
    today: dayOf(facts.now),
    client,
    staffOrNull: staff,
    get staff(): Staff {
      if (!staff) throw new Error(`${facts.call.name} asks for a staff user, but nobody is logged in`);
      return staff;
    },
    has,
    requirePermission(permission) {
      if (!has(permission)) {
        throw refuse(platformErrors.NO_PERMISSION, { permission: permissionLabel(codeOf(permission)) });
      }
    },
  };
}
