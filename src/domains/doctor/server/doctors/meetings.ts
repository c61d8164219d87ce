import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Whether a staff user has a conversation with the account of a doctor (alias `d`), or may take one that waits. */
type Meets = (userId: string) => RawBuilder<SqlBool>;

let answer: Meets = () => sql<SqlBool>`false`;

/** The domain of the conversations knows who is in them; doctor may not ask it itself. */
export function registerMeetings(meets: Meets): void {
  answer = meets;
}

export const meetsDoctor: Meets = (userId) => answer(userId);
