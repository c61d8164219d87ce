import type { Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { afterCommitOf } from '#kernel/server/command/writing.ts';
import type { Tx } from '#kernel/server/context.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Notices } from '#kernel/server/ports.ts';
import { json, own } from '../database.ts';

interface NewNotice {
  businessKey: string;
  title: string;
  body?: string;
  link?: string;
  permission?: string;
  userIds?: readonly string[];
  roleCodes?: readonly string[];
}

/** Told when it can be read; pages also ask on their own every minute. */
const pushToPages = (kernel: Kernel, tx: Tx, kind: string) => afterCommitOf(tx, () => kernel.realtime.toAll('notice', { kind }));

/** To-dos, alerts and results of the domains; the same business key is written once. */
export function noticesPort(kernel: Kernel): Notices {
  const add = async (tx: Tx, kind: 'TODO' | 'ALERT' | 'RESULT', level: 'INFO' | 'WARN', notice: NewNotice, now: Instant) => {
    const audience = {
      ...(notice.userIds ? { userIds: [...notice.userIds] } : {}),
      ...(notice.roleCodes ? { roleCodes: [...notice.roleCodes] } : {}),
      ...(notice.permission ? { permission: notice.permission } : {}),
    };
    const known = await own(tx).selectFrom('identityNotice').select('id').where('businessKey', '=', notice.businessKey).executeTakeFirst();
    if (known) {
      // A to-do that was done comes back with its work.
      if (kind !== 'TODO') return;
      const again = await own(tx)
        .updateTable('identityNotice')
        .set((eb) => ({
          state: 'PUBLISHED',
          publishAt: now,
          audience: json(audience),
          title: notice.title.slice(0, 60),
          updatedAt: now,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', known.id)
        .where('state', '!=', 'PUBLISHED')
        .returning('id')
        .executeTakeFirst();
      if (!again) return;
      // Unread for everybody once more.
      await own(tx).deleteFrom('identityNoticeRead').where('noticeId', '=', known.id).execute();
      pushToPages(kernel, tx, kind);
      return;
    }
    const noticeNo = await nextNumber(tx, 'TZ', dayOf(now));
    await own(tx)
      .insertInto('identityNotice')
      .values({
        noticeNo,
        kind,
        level,
        title: notice.title.slice(0, 60),
        body: (notice.body ?? '').slice(0, 5000),
        audience: json(audience),
        link: notice.link ?? null,
        businessKey: notice.businessKey,
        publishAt: now,
        state: 'PUBLISHED',
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.column('businessKey').doNothing())
      .execute();
    pushToPages(kernel, tx, kind);
  };
  return {
    addTodo: (tx, todo, now) => add(tx, 'TODO', 'INFO', todo, now),
    addAlert: (tx, alert, now) => add(tx, 'ALERT', 'WARN', alert, now),
    addResult: (tx, result, now) => add(tx, 'RESULT', 'INFO', result, now),
    async closeTodo(tx, businessKey, now) {
      await own(tx)
        .updateTable('identityNotice')
        .set((eb) => ({ state: 'DONE', updatedAt: now, version: eb('version', '+', 1) }))
        .where('businessKey', '=', businessKey)
        .where('kind', '=', 'TODO')
        .where('state', '=', 'PUBLISHED')
        .execute();
      pushToPages(kernel, tx, 'TODO');
    },
  };
}
