import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import type { Scope } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '#domains/identity/server/database.ts';
import { hashPassword } from '#domains/identity/server/login/passwords.ts';
import { hashToken, newToken } from '#domains/identity/server/session/tokens.ts';
import { emailColumns, mobileColumns } from '#domains/identity/server/users/mobile.ts';

/** A login to pass as `as`. */
export interface TestStaff {
  token: string;
  userId: string;
  opNo: string;
  userName: string;
  displayName: string;
  userRoleId: string | null;
  sessionId: string;
}

export interface StaffWish {
  /** Code of a builtin role. */
  role?: string;
  /** A role of its own with exactly these; `[]` = a role without rights. */
  permissions?: readonly string[];
  scope?: Partial<Scope>;
  userName?: string;
  displayName?: string;
  mobile?: string;
  password?: string;
  /** Identity was confirmed just now. */
  confirmed?: boolean;
}

let hashes: Map<string, Promise<string>> | undefined;
const passwordHash = (password: string) => {
  hashes ??= new Map();
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
};

/** Makes a staff user with one assignment and a live session by direct rows; without role and permissions he has none. */
export async function createStaff(kernel: Kernel, wish: StaffWish): Promise<TestStaff> {
  const now = kernel.clock.now();
  const today = kernel.clock.today();
  const timestamps = { createdAt: now, updatedAt: now };
  const hash = wish.password === undefined ? null : await passwordHash(wish.password);
  return kernel.transactions.run('test', async ({ tx }) => {
    const db = own(tx);
    const opNo = await nextSerial(tx, 'KQ', 4);
    const userName = wish.userName ?? `staff_${opNo.toLowerCase()}`;
    const displayName = wish.displayName ?? `测试${opNo}`;
    const { id: userId } = await db
      .insertInto('identityStaffUser')
      .values({
        userName,
        displayName,
        opNo,
        employer: 'SELF',
        state: 'ENABLED',
        ...mobileColumns(kernel.secrets, wish.mobile ?? null),
        ...emailColumns(kernel.secrets, null),
        passwordHash: hash,
        passwordChangedAt: now,
        ...timestamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow();

    let roleId: string | null = null;
    if (wish.role !== undefined) {
      roleId = (await db.selectFrom('identityRole').select('id').where('roleCode', '=', wish.role).executeTakeFirstOrThrow()).id;
    } else if (wish.permissions !== undefined) {
      const roleCode = `T_${randomBytes(6).toString('hex').toUpperCase()}`;
      roleId = (
        await db
          .insertInto('identityRole')
          .values({ roleCode, name: `测试${roleCode}`, state: 'ENABLED', ...timestamps })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
      const codes = [...new Set(wish.permissions)];
      if (codes.length > 0)
        await db
          .insertInto('identityRolePermission')
          .values(codes.map((code) => ({ roleId: roleId!, code })))
          .execute();
      await sql`
        insert into identity_role_menu (role_id, menu_id)
        select ${roleId}, m.id from identity_menu m join identity_route_catalogue c on c.route_key = m.route_key
        where c.view_permission = any(${codes})`.execute(tx);
    }
    const scope: Scope = { own: false, region: null, insurer: null, channel: null, ...wish.scope };
    const assignment =
      roleId === null
        ? null
        : await db
            .insertInto('identityUserRole')
            .values({ userId, roleId, scope: JSON.stringify(scope), validFrom: today, state: 'ENABLED', ...timestamps })
            .returning('id')
            .executeTakeFirstOrThrow();

    const token = newToken();
    const { id: sessionId } = await db
      .insertInto('identitySession')
      .values({
        tokenHash: hashToken(token),
        userId,
        method: 'PASSWORD',
        smsVerifiedAt: wish.confirmed ? now : null,
        issuedAt: now,
        lastSeenAt: now,
        rotatedAt: now,
        idleExpiresAt: plusMs(now, hours(2)),
        absoluteExpiresAt: plusMs(now, hours(12)),
        ip: '127.0.0.1',
        userAgent: 'test',
        deviceLabel: 'test',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { token, userId, opNo, userName, displayName, userRoleId: assignment?.id ?? null, sessionId };
  });
}
