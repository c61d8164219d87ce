import { hours, plusMs, dayOf } from '#kernel/contract/time.ts';
import { refuse, platformErrors } from '#kernel/contract/errors.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { addUserInfo } from '../../contract/calls/users.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { randomPassword } from '../firstRun.ts';
import { clearAttempts, userKey } from '../login/attempts.ts';
import { hashPassword } from '../login/passwords.ts';
import { loadPolicy } from '../policy.ts';
import { publishUserChanged } from './changed.ts';
import { warned } from '../roles/duties.ts';
import { requireMayGrant, insertAssignment, rightsOfRole } from './grant.ts';
import { emailColumns, mobileColumns } from './mobile.ts';
import { requireFreeMobile, requireFreeName, uniqueRefusal } from './person.ts';

/** @throws SCM90040 for a role that is gone. */
export async function roleById(tx: Parameters<typeof own>[0], roleId: string) {
  const role = await own(tx)
    .selectFrom('identityRole')
    .selectAll()
    .where('id', '=', roleId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!role) throw refuse(platformErrors.NOT_FOUND);
  return role;
}

/** A new user with his roles and a temporary password that is answered once. */
export const addUserHandler = ({ kernel }: IdentityCore) =>
  command(addUserInfo, async ({ roles, ...person }, ctx) => {
    const { tx, now, staff } = ctx;
    const facts = { employer: person.employer, validFrom: person.validFrom ?? null, validTo: person.validTo ?? null };
    await requireFreeName(tx, person.userName);
    await requireFreeMobile(kernel, tx, person.mobile ?? null, null);
    const wanted: string[] = [];
    for (const { roleId } of roles) {
      await roleById(tx, roleId);
      wanted.push(...(await rightsOfRole(tx, roleId)));
    }
    await requireMayGrant(tx, staff, wanted, ctx.today);
    const policy = await loadPolicy(tx);
    const tempPassword = randomPassword(12);
    const opNo = await nextSerial(tx, 'KQ', 4);
    const { id } = await own(tx)
      .insertInto('identityStaffUser')
      .values({
        userName: person.userName,
        displayName: person.displayName,
        opNo,
        ...mobileColumns(kernel.secrets, person.mobile ?? null),
        ...emailColumns(kernel.secrets, person.email ?? null),
        departmentName: person.departmentName || null,
        postName: person.postName || null,
        ...facts,
        state: 'PENDING',
        passwordHash: await hashPassword(tempPassword),
        passwordChangedAt: now,
        mustChangePassword: true,
        changeReason: 'FIRST',
        tempPasswordExpiresAt: plusMs(now, hours(policy.tempPasswordHours)),
        ...createdColumns({ now, staff }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw uniqueRefusal(error) ?? error;
      });
    await clearAttempts(tx, userKey(person.userName), true);
    let warnings: string[] = [];
    for (const role of roles) {
      const written = await insertAssignment(
        tx,
        { userId: id, roleId: role.roleId, scope: role.scope, validFrom: role.validFrom ?? dayOf(now), validTo: role.validTo ?? null },
        staff.userId,
        now,
      );
      warnings = written.warnings;
    }
    ctx.changed(warned(warnings));
    ctx.target({ type: 'staffUser', id, no: opNo });
    await publishUserChanged(ctx, { id, opNo, displayName: person.displayName, state: 'PENDING' });
    return { id, opNo, tempPassword, warnings };
  });
