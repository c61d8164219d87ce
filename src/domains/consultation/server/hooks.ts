import { sql } from 'kysely';
import type { Kernel } from '#kernel/server/kernel.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { consultationPermissions as may } from '../contract/permissions.ts';
import { operatorIdOf, roleOf } from '../contract/im/ids.ts';
import { own } from './database.ts';
import { hear } from './hearing/hear.ts';
import { sendPolicy } from './hearing/policy.ts';
import { useImHooks } from './im/engine.ts';
import type { RiskWords } from './im/hooks.ts';
import { attachFiles, unusableFiles } from './messages/attached.ts';
import { crisisWordsAt } from './partners.ts';
import { inPool, isMember } from './people/pool.ts';
import { publishQueue } from './queue/signals.ts';

const MOST_HOLDERS = 1_000;

/** Words that each process keeps in memory, read anew every half minute and after a change on this process. */
interface Words {
  risk: RiskWords;
  crisis: readonly string[];
}
const kept = new WeakMap<Kernel, Words>();
const wordsOf = (kernel: Kernel): Words => kept.get(kernel) ?? { risk: { block: [], flag: [] }, crisis: [] };

export async function readWords(kernel: Kernel): Promise<void> {
  const rows = await own(kernel.db).selectFrom('consultationRiskWord').select(['word', 'level']).execute();
  const of = (level: string) => rows.filter((row) => row.level === level).map(({ word }) => word);
  kept.set(kernel, { risk: { block: of('BLOCK'), flag: of('FLAG') }, crisis: await crisisWordsAt(kernel.db, kernel.clock.now()) });
}

export const readWordsJob = job({
  name: 'consultation.readWords',
  label: '读取敏感词',
  everySeconds: 30,
  run: (_data, { kernel }) => readWords(kernel),
});

/** Who may read along without being a member: supervisors, and the pool of a group that waits. */
async function mayWatch(kernel: Kernel, imUserId: string, groupId: string): Promise<boolean> {
  if (roleOf(imUserId) !== 'ASSISTANT') return false;
  const duty = await own(kernel.db)
    .selectFrom('consultationAssistantDuty')
    .select(['assistantId', 'userId'])
    .where('operatorId', '=', operatorIdOf(imUserId))
    .executeTakeFirst();
  if (!duty) return false;
  const { rows } = await sql<{ may: boolean }>`
    select (g.work_state = 'QUEUED' and ${inPool(duty.assistantId)}) as may
      from consultation_medical_group g
      where g.group_id = ${groupId}`.execute(kernel.db);
  return rows[0]?.may === true || (await watches(kernel, duty.userId));
}

/** Whether a staff user holds the right to watch in any valid assignment. */
async function watches(kernel: Kernel, userId: string): Promise<boolean> {
  const holders = await checkersFor(kernel.db, { permission: may['chat.watch'].code, today: kernel.clock.today(), limit: MOST_HOLDERS });
  return holders.some((holder) => holder.userId === userId);
}

/** Joins inquiries, queue and words to the message store. */
export function joinHooks(kernel: Kernel): void {
  useImHooks(kernel, {
    sendPolicy,
    unusableFiles,
    riskWords: () => wordsOf(kernel).risk,
    async inBatch(writing, messages, now) {
      await attachFiles(writing.tx, messages, now);
      if (await hear(writing, messages, wordsOf(kernel).crisis, now)) publishQueue(kernel, writing);
    },
    mayWatch: (_db, imUserId, groupId) => mayWatch(kernel, imUserId, groupId),
    async roomMembers(db, roomId) {
      const rows = await own(db)
        .selectFrom('consultationVideoParticipant')
        .select('imUserId')
        .where('roomId', '=', String(roomId))
        .where('leftAt', 'is', null)
        .execute();
      return rows.map(({ imUserId }) => imUserId);
    },
    async mayInvite(db, imUserId, groupId) {
      const { rows } = await sql<{ may: boolean }>`
        select ${isMember(imUserId)} and g.archived_at is null as may
          from consultation_medical_group g
          where g.group_id = ${groupId}`.execute(db);
      return rows[0]?.may === true;
    },
  });
}
