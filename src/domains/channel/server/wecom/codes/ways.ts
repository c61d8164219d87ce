import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Db } from '#kernel/server/context.ts';
import { own } from '../../database.ts';
import { nextTry, type Corp, WecomError, type WecomPort } from '../port/port.ts';
import { corpOf, noteCall } from '../corps.ts';

/** Key that a contact way carries: it says by which code and member somebody came. */
export const wayKeyOf = (liveCodeId: string, memberRowId: string): string =>
  `L${BigInt(liveCodeId).toString(36)}M${BigInt(memberRowId).toString(36)}`;

/** `L1zM3` → ids of the live code and its member row; null for ways of other programs. */
export function readWayKey(key: string | null): { liveCodeId: string; memberRowId: string } | null {
  const match = /^L([0-9a-z]{1,13})M([0-9a-z]{1,13})$/.exec(key ?? '');
  if (!match) return null;
  const number = (text: string) => [...text].reduce((sum, sign) => sum * 36n + BigInt(Number.parseInt(sign, 36)), 0n).toString();
  return { liveCodeId: number(match[1]!), memberRowId: number(match[2]!) };
}

/** Whether a code has anybody it can show decides between ACTIVE and ERROR; paused and deleted ones stay as they are. */
export async function settleLiveCodes(db: Db, where: { liveCodeId: string } | { corpRowId: string }, now: Instant): Promise<void> {
  const which = 'liveCodeId' in where ? sql`l.id = ${where.liveCodeId}` : sql`l.corp_row_id = ${where.corpRowId}`;
  await sql`
    update channel_live_code l
      set updated_at = ${now}, version = l.version + 1, state = n.state
      from (
        select l.id,
            case
              when exists (
                select from channel_live_code_member m
                  join channel_wecom_member w on w.id = m.member_id
                  where m.live_code_id = l.id and not m.removed and m.way_state = 'READY' and w.status = 1 and w.can_contact
              ) then 'ACTIVE'
              else 'ERROR'
            end as state
          from channel_live_code l
          where ${which} and l.state in ('CREATING', 'ACTIVE', 'ERROR')
      ) n
      where n.id = l.id and n.state <> l.state`.execute(db);
}

export interface WaysJob {
  liveCodeId: string;
  /** Ways that stand are told anew whether they ask for a confirmation. */
  refresh?: boolean;
  /** Tries before this one. */
  tries?: number;
}

/** Makes the missing contact ways of a live code and takes back those of members who left it or of a deleted code. */
export const makeWays = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) => {
  const making: JobDeclaration<WaysJob> = job<WaysJob>({
    name: 'channel.makeContactWays',
    label: '创建企微联系方式',
    subject: ({ liveCodeId }) => liveCodeId,
    async run({ liveCodeId, refresh = false, tries = 0 }, ctx: JobContext) {
      const code = await own(ctx.db).selectFrom('channelLiveCode').selectAll().where('id', '=', liveCodeId).executeTakeFirst();
      if (!code) return;
      const corp = await corpOf(kernel, ctx.db, code.corpRowId);
      const port = portOf(corp);
      const members = await own(ctx.db)
        .selectFrom('channelLiveCodeMember as m')
        .innerJoin('channelWecomMember as w', 'w.id', 'm.memberId')
        .select(['m.id', 'm.removed', 'm.wayState', 'm.configId', 'w.wecomUserId', 'w.status'])
        .where('m.liveCodeId', '=', liveCodeId)
        .orderBy('m.id')
        .execute();
      const set = (
        id: string,
        values: { wayState: 'NONE' | 'READY' | 'FAILED'; wayError?: string | null; configId?: string | null; qrUrl?: string | null },
      ) => own(ctx.db).updateTable('channelLiveCodeMember').set(values).where('id', '=', id).execute();
      let limited: WecomError | null = null;
      for (const member of members) {
        const gone = member.removed || code.state === 'DELETED';
        try {
          if (gone && member.configId !== null) {
            await port.removeContactWay(corp, member.configId);
            await set(member.id, { wayState: 'NONE', configId: null, qrUrl: null });
          } else if (!gone && member.status === 1 && (refresh || member.wayState !== 'READY')) {
            const wish = { wecomUserId: member.wecomUserId, state: wayKeyOf(liveCodeId, member.id), skipVerify: code.skipVerify };
            if (member.configId === null)
              await set(member.id, { wayState: 'READY', wayError: null, ...(await port.addContactWay(corp, wish)) });
            else {
              await port.changeContactWay(corp, member.configId, wish);
              await set(member.id, { wayState: 'READY', wayError: null });
            }
          } else continue;
          await noteCall(ctx.db, corp.id, null, ctx.now);
        } catch (error) {
          const failure = error instanceof WecomError ? error : new WecomError(-1, String(error));
          // A way that stands goes on working while its change waits.
          if (!gone)
            await set(member.id, {
              wayState: member.configId === null ? 'FAILED' : 'READY',
              wayError: `${failure.message}（${failure.errcode}）`,
            });
          await noteCall(ctx.db, corp.id, failure, ctx.now);
          if (failure.limited) limited = failure;
        }
      }
      await settleLiveCodes(ctx.db, { liveCodeId }, ctx.now);
      const again = limited ? nextTry(tries, kernel.clock.now()) : null;
      if (again !== null)
        await ctx.transaction((writing) =>
          writing.enqueue(
            making,
            { liveCodeId, refresh, tries: tries + 1 },
            { startAfter: again, singletonKey: `ways:${liveCodeId}:try${tries + 1}` },
          ),
        );
    },
  });
  return making;
};
