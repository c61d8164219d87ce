import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Db, Difference, Tx } from '#kernel/server/context.ts';
import { dutySentence, dutySentences, type DutyConflict } from '../../contract/duties.ts';
import { identityErrors } from '../../contract/errors.ts';

// Conflicts of duties: two rights about one document in one hand. Where money moves they are refused, elsewhere they are a warning.

/** Pairs that the role `r` joins by itself, for the select of a query. */
export const dutiesOfRole = sql<DutyConflict[]>`identity_duties_of_role(r.id)`;

/** Pairs that the user `u` joins by all his roles. */
export const dutiesOfUser = (today: Day) => sql<DutyConflict[]>`identity_duties_of_user(u.id, ${today}::date)`;

/**
 * Whoever gives a right to a role or a role to a person waits here for the others, before he locks anything else: two acts that are fine
 * alone and join a pair together are judged one after the other.
 */
export const lockDuties = (tx: Tx): Promise<void> => lockKeys(tx, 'identity.duties');

/** What the log of an act says of the pairs that it was warned of. */
export const warned = (warnings: readonly string[]): Difference[] =>
  warnings.length > 0 ? [{ path: 'duties', label: '职责提醒', before: null, after: warnings.join('；') }] : [];

const moneyOf = (conflicts: readonly DutyConflict[]) => conflicts.filter(({ money }) => money);

/**
 * Judges a role as it has been written, and those who hold it.
 * @param added rights that holders of the role gain by this
 * @returns sentences about pairs that are not refused
 * @throws SCM01037 for the role itself, SCM01038 for the first of its holders
 */
export async function judgeRole(tx: Tx, roleId: string, added: ReadonlySet<string>, today: Day): Promise<string[]> {
  const { rows } = await sql<{
    duties: DutyConflict[];
  }>`select ${dutiesOfRole} as duties from identity_role r where r.id = ${roleId}`.execute(tx);
  const own = rows[0]?.duties ?? [];
  const refused = moneyOf(own);
  if (refused.length > 0) throw refuse(identityErrors.DUTIES_OF_ROLE, { pairs: dutySentences(refused) });
  const warnings = own.map(dutySentence);
  if (added.size === 0) return warnings;
  const holders = await sql<{ displayName: string; duties: DutyConflict[] }>`
    select u.display_name, ${dutiesOfUser(today)} as duties from identity_staff_user u
      where exists (
        select from identity_user_role ur where ur.user_id = u.id and ur.role_id = ${roleId} and ur.state = 'ENABLED'
          and (ur.valid_to is null or ur.valid_to >= ${today}::date))
      order by u.id`.execute(tx);
  const alone = new Set(own.map(({ makes, decides }) => `${makes} ${decides}`));
  for (const { displayName, duties } of holders.rows) {
    const gained = duties.filter(({ makes, decides }) => (added.has(makes) || added.has(decides)) && !alone.has(`${makes} ${decides}`));
    const joined = moneyOf(gained);
    if (joined.length > 0) throw refuse(identityErrors.DUTIES_OF_PERSON, { name: displayName, pairs: dutySentences(joined) });
    if (gained.length > 0) warnings.push(`${displayName} ${dutySentences(gained)}`);
  }
  return warnings;
}

/**
 * Which roles one person may not be given together, for all days: by the rules between roles, and by what their rights join.
 * @returns the refusal, or null, and sentences about pairs that are not refused
 */
export async function judgeTogether(db: Db | Tx, roleIds: readonly string[]): Promise<{ refused: string | null; warnings: string[] }> {
  const ids = sql`${[...roleIds]}::bigint[]`;
  const { rows } = await sql<{ a: string | null; b: string | null; duties: DutyConflict[] }>`
    select c.a, c.b, identity_duties_between(${ids}, array_fill('(,)'::daterange, array[cardinality(${ids})])) as duties
      from (values (1)) as one
      left join lateral (
        select a.name as a, b.name as b from identity_role_conflict x
          join identity_role a on a.id = x.first_role_id
          join identity_role b on b.id = x.second_role_id
          where x.first_role_id = any(${ids}) and x.second_role_id = any(${ids})
          order by x.id limit 1) c on true`.execute(db);
  const { a, b, duties } = rows[0] ?? { a: null, b: null, duties: [] };
  const money = moneyOf(duties);
  if (a !== null && b !== null) return { refused: refuse(identityErrors.ROLE_CONFLICT, { a, b }).message, warnings: [] };
  if (money.length > 0)
    return { refused: refuse(identityErrors.DUTIES_OF_PERSON, { name: '该用户', pairs: dutySentences(money) }).message, warnings: [] };
  return { refused: null, warnings: duties.map(dutySentence) };
}

/**
 * Judges somebody with all roles that he holds, after one was given to him.
 * @returns sentences about pairs that are not refused
 * @throws SCM01038
 */
export async function judgePerson(tx: Tx, userId: string, today: Day): Promise<string[]> {
  const { rows } = await sql<{ displayName: string; duties: DutyConflict[] }>`
    select u.display_name, ${dutiesOfUser(today)} as duties from identity_staff_user u where u.id = ${userId}`.execute(tx);
  const [person] = rows;
  if (!person) return [];
  const refused = moneyOf(person.duties);
  if (refused.length > 0) throw refuse(identityErrors.DUTIES_OF_PERSON, { name: person.displayName, pairs: dutySentences(refused) });
  return person.duties.map(dutySentence);
}
