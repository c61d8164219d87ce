import { sql, type Insertable } from 'kysely';
import { days, hours, minutes, plusDays, plusMs, dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { json, own } from '../database.ts';
import { userKey } from '../login/attempts.ts';
import { hashPassword } from '../login/passwords.ts';
import { mobileColumns } from '../users/mobile.ts';
import { demoMobile, demoPeople, type DemoPerson } from './people.ts';
import type { IdentityStaffUser } from '../tables.ts';

export interface WrittenPerson extends DemoPerson {
  id: string;
  opNo: string;
  roleCode: string | null;
  userRoleId: string | null;
}

/** Users with their assignments. One hash serves all: they share the demonstration password. */
export async function writePeople(kernel: Kernel, tx: Tx, now: Instant): Promise<WrittenPerson[]> {
  const passwordHash = await hashPassword(kernel.config.demoPassword);
  const today = dayOf(now);
  const hired = plusMs(now, -days(40));
  const opNos: string[] = [];
  for (const _ of demoPeople) opNos.push(await nextSerial(tx, 'KQ', 4));
  const rows = demoPeople.map((person, index): Insertable<IdentityStaffUser> => ({
    userName: person.userName,
    displayName: person.displayName,
    opNo: opNos[index]!,
    ...mobileColumns(kernel.secrets, demoMobile(person.userName)),
    departmentName: person.department,
    postName: person.post,
    employer: person.outsourced ? 'OUTSOURCE' : 'SELF',
    validFrom: person.outsourced ? plusDays(today, -180) : null,
    validTo: person.validTo === undefined ? null : plusDays(today, person.validTo),
    state: person.state ?? 'ENABLED',
    leftOn: person.state === 'LEFT' ? plusDays(today, -12 - (index % 5)) : null,
    disabledReason: person.state === 'DISABLED' ? '长期休假，暂停使用' : null,
    passwordHash,
    passwordChangedAt: plusMs(now, -days(20 + (index % 30))),
    mustChangePassword: person.mustChange !== undefined,
    changeReason: person.mustChange ?? null,
    tempPasswordExpiresAt: person.mustChange ? plusMs(now, hours(24)) : null,
    lastLoginAt: person.neverLoggedIn ? null : plusMs(now, -hours(3 + index * 5)),
    lastLoginIp: person.neverLoggedIn ? null : `10.20.${index % 4}.${20 + index}`,
    createdAt: plusMs(hired, hours(index)),
    updatedAt: plusMs(hired, hours(index)),
  }));
  const inserted = await own(tx).insertInto('identityStaffUser').values(rows).returning(['id', 'userName', 'opNo']).execute();
  const ids = new Map(inserted.map(({ id, userName }) => [userName, id]));
  const people = demoPeople.map((person, index): WrittenPerson => ({
    ...person,
    id: ids.get(person.userName)!,
    opNo: opNos[index]!,
    roleCode: person.roles[0]?.code ?? null,
    userRoleId: null,
  }));
  const assignments = people.flatMap((person) =>
    person.roles.map(({ code, scope }) => ({
      user_id: person.id,
      role_code: code,
      scope: { own: false, region: null, insurer: null, channel: null, ...scope },
      state: person.state === 'LEFT' ? 'DISABLED' : 'ENABLED',
      valid_to: person.validTo === undefined ? null : plusDays(today, person.validTo),
    })),
  );
  const { rows: given } = await sql<{ id: string; userId: string; roleCode: string }>`
    with given as (
      insert into identity_user_role (user_id, role_id, scope, valid_from, valid_to, state, created_at, updated_at)
      select a.user_id, r.id, a.scope, ${plusDays(today, -200)}::date, a.valid_to, a.state, ${hired}, ${hired}
      from jsonb_to_recordset(${json(assignments)}::jsonb) as a(user_id bigint, role_code text, scope jsonb, state text, valid_to date)
      join identity_role r on r.role_code = a.role_code
      returning id, user_id, role_id)
    select g.id, g.user_id, r.role_code from given g join identity_role r on r.id = g.role_id`.execute(tx);
  const byUser = new Map(given.map((row) => [`${row.userId}:${row.roleCode}`, row.id]));
  await writeLocks(tx, people, now);
  return people.map((person) => ({ ...person, userRoleId: byUser.get(`${person.id}:${person.roleCode}`) ?? null }));
}

/** A timed lock, and the counters behind the permanent one. */
async function writeLocks(tx: Tx, people: readonly WrittenPerson[], now: Instant): Promise<void> {
  const rows = people.flatMap((person) => {
    if (person.timedLock) {
      return [
        {
          key: userKey(person.userName),
          locks: [plusMs(now, -minutes(2))],
          lockedUntil: plusMs(now, minutes(28)),
          hardLocked: false,
          updatedAt: now,
        },
      ];
    }
    if (person.state !== 'LOCKED') return [];
    const locks = [9, 6, 3].map((ago) => plusMs(now, -hours(ago)));
    return [{ key: userKey(person.userName), locks, lockedUntil: plusMs(now, -hours(2.5)), hardLocked: true, updatedAt: now }];
  });
  if (rows.length > 0) await own(tx).insertInto('identityLoginAttempt').values(rows).execute();
}
