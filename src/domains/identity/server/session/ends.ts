import { randomBytes } from 'node:crypto';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { sessionEnded } from '#events/identity.ts';
import { own } from '../database.ts';

export type EndReason = 'LOGOUT' | 'EXPIRED' | 'REPLACED' | 'KICKED' | 'PASSWORD' | 'DISABLED' | 'BOOT';

const farewell: Readonly<Record<EndReason, { code: string; message: string }>> = {
  LOGOUT: { code: 'SCM90002', message: '登录已过期，请重新登录' },
  EXPIRED: { code: 'SCM90002', message: '登录已过期，请重新登录' },
  REPLACED: { code: 'SCM90009', message: '您的账号已在其他地方登录，如非本人操作请尽快修改密码' },
  KICKED: { code: 'SCM90002', message: '您已被管理员强制下线' },
  PASSWORD: { code: 'SCM90002', message: '登录已过期，请重新登录' },
  DISABLED: { code: 'SCM90002', message: '登录已过期，请重新登录' },
  BOOT: { code: 'SCM90002', message: '登录已过期，请重新登录' },
};

interface Which {
  userId: string;
  sessionId?: string;
  /** This one goes on. */
  except?: string;
  /** Only these. */
  ids?: readonly string[];
}

export interface SessionEnds {
  /** Ends live sessions in a transaction: event, and after the commit the open pages are told. @returns how many. */
  end(writing: Writing, which: Which, reason: EndReason, now: Instant): Promise<number>;
  /** The same in a transaction of its own, for what the session reader finds. */
  outside(row: { userId: string; sessionId: string }, reason: EndReason, now: Instant): Promise<void>;
  /** A token that was rotated away comes back: the session ends and the administrators hear of it. */
  stolen(row: { userId: string; sessionId: string; displayName: string; opNo: string }, now: Instant): Promise<void>;
}

export function sessionEnds(kernel: Kernel): SessionEnds {
  const end: SessionEnds['end'] = async (writing, which, reason, now) => {
    const ended = await own(writing.tx)
      .updateTable('identitySession')
      .set({ endedAt: now, endReason: reason })
      .where('userId', '=', which.userId)
      .where('endedAt', 'is', null)
      .$if(which.sessionId !== undefined, (update) => update.where('id', '=', which.sessionId!))
      .$if(which.except !== undefined, (update) => update.where('id', '!=', which.except!))
      .$if(which.ids !== undefined, (update) => update.where('id', 'in', [...which.ids!]))
      .returning('id')
      .execute();
    for (const { id } of ended) {
      await writing.publish(sessionEnded, id, { userId: which.userId, sessionId: id, reason });
    }
    writing.afterCommit(() => {
      for (const { id } of ended) kernel.realtime.endSession(id, farewell[reason]);
    });
    return ended.length;
  };
  const traceId = () => randomBytes(8).toString('hex');
  return {
    end,
    async outside(row, reason, now) {
      await kernel.transactions.run(traceId(), async (writing) => {
        await end(writing, { userId: row.userId, sessionId: row.sessionId }, reason, now);
      });
    },
    async stolen(row, now) {
      await kernel.transactions.run(traceId(), async (writing) => {
        const ended = await end(writing, { userId: row.userId, sessionId: row.sessionId }, 'EXPIRED', now);
        if (ended === 0) return;
        await kernel.ports.notices.addAlert(
          writing.tx,
          {
            businessKey: `session-stolen:${row.sessionId}`,
            title: '疑似登录凭证被盗用',
            body: `${row.displayName}（${row.opNo}）的会话使用了已更换的登录凭证，系统已结束该会话。请与本人核实。`,
            link: '/userManagement?tab=sessions',
            permission: 'identity.session.kick',
          },
          now,
        );
      });
    },
  };
}
