import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, hours, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db, Staff } from '#kernel/server/context.ts';
import type { SessionReader, SessionRequest } from '#kernel/server/ports.ts';
import { noScope } from '#kernel/server/ports.ts';
import { identityErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { policyOf } from '../policy.ts';
import type { KeptSessions } from './kept.ts';
import type { PermissionSets } from './permissionSets.ts';
import { scopeOfRow } from './scope.ts';
import { hashToken, newToken } from './tokens.ts';
import type { SessionEnds } from './ends.ts';

const TOUCH_MS = minutes(1);
/** Parallel requests that still carry the token from before a rotation. */
const GRACE_MS = minutes(1);

interface AssignmentPart {
  userRoleId: string | null;
  roleId: string | null;
  roleCode: string | null;
  roleName: string | null;
  roleVersion: number | null;
  scope: unknown;
  valid: boolean | null;
}

interface SessionRow extends AssignmentPart {
  sessionId: string;
  userId: string;
  isCurrent: boolean;
  previousValidUntil: Instant | null;
  restricted: boolean;
  smsVerifiedAt: Instant | null;
  lastSeenAt: Instant;
  idleExpiresAt: Instant;
  absoluteExpiresAt: Instant;
  rotatedAt: Instant;
  endReason: string | null;
  userName: string;
  displayName: string;
  opNo: string;
  userState: string;
  validTo: string | null;
  settings: unknown;
}

/** Last used, default, lowest id. */
const usual = sql`true
    order by 7 desc, (ur.id = u.last_user_role_id) desc nulls last, (ur.id = u.default_user_role_id) desc nulls last, ur.id
    limit 1`;

/** Which assignment a request acts in, as one lateral join: the header's, else the usual one. */
const assignment = (header: string | null, today: string) => sql`
  left join lateral (
    select ur.id as user_role_id, r.id as role_id, r.role_code, r.name as role_name, r.version as role_version, ur.scope,
      (ur.state = 'ENABLED' and r.state = 'ENABLED' and r.deleted_at is null and ur.valid_from <= ${today}::date
        and (ur.valid_to is null or ur.valid_to >= ${today}::date)) as valid
    from identity_user_role ur join identity_role r on r.id = ur.role_id
    where ur.user_id = u.id and ${header === null ? usual : sql`ur.id = ${header}::bigint`}) a on true`;

/** Header `userRoleMenu` as an id; anything else is nobody's assignment. */
const assignmentId = (header: string | null): string | null => (header === null ? null : /^\d{1,18}$/.test(header) ? header : '0');

/** R1 and R3: reads session, user, assignment, role and policy in one statement, unless it was read lately and nothing has changed. */
export function sessionReader(sets: PermissionSets, ends: SessionEnds, kept: KeptSessions): SessionReader {
  const staffOf = async (db: Db, row: Omit<SessionRow, 'settings'>, sessionEndsAt: Instant | null): Promise<Staff> => {
    const active = row.valid && row.roleId !== null && row.roleVersion !== null;
    return {
      userId: row.userId,
      userName: row.userName,
      displayName: row.displayName,
      opNo: row.opNo,
      sessionId: row.sessionId,
      sessionEndsAt,
      restricted: row.restricted,
      smsVerifiedAt: row.smsVerifiedAt,
      userRoleId: active ? row.userRoleId : null,
      roleCode: active ? row.roleCode : null,
      roleName: active ? row.roleName : null,
      permissions: active && !row.restricted ? await sets.of(db, row.roleId!, row.roleVersion!) : new Set(),
      scope: active ? scopeOfRow(row.scope) : noScope,
    };
  };

  return {
    async read(db: Db, request: SessionRequest) {
      const hash = hashToken(request.token);
      const header = assignmentId(request.userRoleMenu);
      const known = kept.find(hash, header, request.now);
      if (known && (request.opNo === null || request.opNo === known.opNo)) return { staff: known };
      const keep = kept.reading();
      const { rows } = await sql<SessionRow>`
        select s.id as session_id, s.user_id, s.token_hash = ${hash} as is_current, s.previous_valid_until, s.restricted,
          s.sms_verified_at, s.last_seen_at, s.idle_expires_at, s.absolute_expires_at, s.rotated_at, s.end_reason,
          u.user_name, u.display_name, u.op_no, u.state as user_state, u.valid_to, a.*, p.settings
        from identity_session s
        join identity_staff_user u on u.id = s.user_id
        left join identity_security_policy p on p.id = 1
        ${assignment(header, dayOf(request.now))}
        where s.token_hash = ${hash} or s.previous_token_hash = ${hash}`.execute(db);
      const row = rows[0];
      if (!row) throw refuse(platformErrors.SESSION_EXPIRED);
      await refuseDead(ends, row, request);
      if (request.opNo !== null && request.opNo !== row.opNo) throw refuse(platformErrors.SESSION_REPLACED);
      if (row.restricted && !request.allowRestricted) throw refuse(identityErrors.MUST_CHANGE_PASSWORD);
      // What a restricted session may call works without a role too: he can still switch or leave.
      if (header !== null && !row.valid && !request.allowRestricted) {
        throw refuse(platformErrors.NO_PERMISSION, { permission: '' }, { message: '当前角色已失效，请切换角色', data: { roleGone: true } });
      }
      const { newToken, idleExpiresAt, untouchedUntil } = await touch(db, row, hash, request.now);
      const endsAt = earliest(idleExpiresAt, row.absoluteExpiresAt);
      const staff = await staffOf(db, row, endsAt);
      if (row.isCurrent && !newToken && !row.restricted && staff.userRoleId !== null)
        keep(hash, header, { staff, until: earliest(endsAt, untouchedUntil, startOfDay(plusDays(dayOf(request.now), 1))) });
      return { staff, ...(newToken && { newToken }) };
    },

    async isLive(db, sessionId, now) {
      const { rows } = await sql`
        select 1
          from identity_session s
          join identity_staff_user u on u.id = s.user_id
          where s.id = ${sessionId} and s.end_reason is null and s.idle_expires_at > ${now} and s.absolute_expires_at > ${now}
            and u.state in ('ENABLED', 'LOCKED')`.execute(db);
      return rows.length > 0;
    },
    async contextOf(db, userRoleId, now) {
      const { rows } = await sql<SessionRow>`
        select '' as session_id, u.id as user_id, false as restricted, null as sms_verified_at,
          u.user_name, u.display_name, u.op_no, u.state as user_state, u.valid_to, a.*
        from identity_user_role mine join identity_staff_user u on u.id = mine.user_id
        ${assignment(userRoleId, dayOf(now))}
        where mine.id = ${userRoleId} and u.state in ('ENABLED', 'LOCKED')
          and (u.valid_to is null or u.valid_to >= ${dayOf(now)}::date)`.execute(db);
      const row = rows[0];
      return row?.valid ? staffOf(db, row, null) : null;
    },
  };
}

/** Ended, expired, stolen or disabled sessions are refused with their own text; what ends here is stored as ended. */
async function refuseDead(ends: SessionEnds, row: SessionRow, { now }: SessionRequest): Promise<void> {
  if (row.endReason === 'REPLACED') throw refuse(platformErrors.SESSION_REPLACED);
  if (row.endReason === 'KICKED') throw refuse(platformErrors.SESSION_EXPIRED, { message: '您已被管理员强制下线' });
  if (row.endReason !== null) throw refuse(platformErrors.SESSION_EXPIRED);
  if (row.idleExpiresAt <= now || row.absoluteExpiresAt <= now) {
    await ends.outside(row, 'EXPIRED', now);
    throw refuse(platformErrors.SESSION_EXPIRED);
  }
  if (!row.isCurrent && (row.previousValidUntil === null || row.previousValidUntil < now)) {
    await ends.stolen(row, now);
    throw refuse(platformErrors.SESSION_EXPIRED);
  }
  const past = row.validTo !== null && row.validTo < dayOf(now);
  if (past || !['PENDING', 'ENABLED', 'LOCKED'].includes(row.userState)) {
    await ends.outside(row, 'DISABLED', now);
    throw refuse(platformErrors.SESSION_EXPIRED);
  }
}

const earliest = (...times: readonly Instant[]): Instant => times.reduce((one, other) => (other < one ? other : one));

interface Touched {
  newToken: string | null;
  /** As it stands now. */
  idleExpiresAt: Instant;
  /** Before it, there is nothing to write. */
  untouchedUntil: Instant;
}

/** Moves the idle limit at most once a minute; changes the token when it is old. */
async function touch(db: Db, row: SessionRow, hash: Buffer, now: Instant): Promise<Touched> {
  const policy = policyOf(row.settings);
  const rotatesAt = plusMs(row.rotatedAt, minutes(policy.sessionRotateMinutes));
  const idleExpiresAt = plusMs(now, minutes(policy.sessionIdleMinutes));
  if (row.isCurrent && now >= rotatesAt) {
    const token = newToken();
    const { numUpdatedRows } = await own(db)
      .updateTable('identitySession')
      .set({
        tokenHash: hashToken(token),
        previousTokenHash: hash,
        previousValidUntil: plusMs(now, GRACE_MS),
        rotatedAt: now,
        lastSeenAt: now,
        idleExpiresAt,
      })
      .where('id', '=', row.sessionId)
      .where('tokenHash', '=', hash)
      .executeTakeFirst();
    // Of two parallel requests one changes the token; the other goes on with the old one.
    return { newToken: numUpdatedRows === 1n ? token : null, idleExpiresAt, untouchedUntil: now };
  }
  if (Date.parse(now) - Date.parse(row.lastSeenAt) >= TOUCH_MS) {
    await own(db)
      .updateTable('identitySession')
      .set({ lastSeenAt: now, idleExpiresAt })
      .where('id', '=', row.sessionId)
      .where('endedAt', 'is', null)
      .execute();
    return { newToken: null, idleExpiresAt, untouchedUntil: earliest(rotatesAt, plusMs(now, TOUCH_MS)) };
  }
  return { newToken: null, idleExpiresAt: row.idleExpiresAt, untouchedUntil: earliest(rotatesAt, plusMs(row.lastSeenAt, TOUCH_MS)) };
}

/** Longest life of a session that begins now. */
export const lifeOf = (now: Instant, policy: { sessionIdleMinutes: number; sessionAbsoluteHours: number }) => ({
  idleExpiresAt: plusMs(now, minutes(policy.sessionIdleMinutes)),
  absoluteExpiresAt: plusMs(now, hours(policy.sessionAbsoluteHours)),
});
