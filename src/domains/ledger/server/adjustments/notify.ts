import { yuan } from '#kernel/contract/money.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { books } from '../../contract/books.ts';
import { pageLink } from '../books.ts';
import type { Adjustment } from './access.ts';

type Shown = Pick<Adjustment, 'id' | 'adjustNo' | 'book' | 'totalFen' | 'makerId' | 'makerName' | 'version'>;
/** A version waits for one look: what is submitted again is something new to do. */
const keyOf = (id: string, version: number, permission: string) => `${permission}:${id}:${version}`;
const LEVELS = ['ledger.adjust.check', 'ledger.adjust.check2'] as const;

/** 待办 for who may confirm it, in the version that it is about to have. */
export const notifyChecker = (
  kernel: Kernel,
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  row: Shown,
  permission: string,
): Promise<void> =>
  kernel.ports.notices.addTodo(
    tx,
    {
      businessKey: keyOf(row.id, row.version + 1, permission),
      title: `调账${row.adjustNo}待${permission.endsWith('2') ? '二级' : ''}复核`,
      body: `${books.label(row.book)} ${yuan(row.totalFen, true)}元，制单人${row.makerName}`,
      permission,
      ...pageLink(kernel, row.book),
    },
    now,
  );

export async function closeTodos(kernel: Kernel, { tx, now }: CommandContext, row: Shown): Promise<void> {
  for (const level of LEVELS) await kernel.ports.notices.closeTodo(tx, keyOf(row.id, row.version, level), now);
}

export const notifyMaker = (
  kernel: Kernel,
  { tx, now }: CommandContext,
  row: Shown,
  { posted, opinion }: { posted: boolean; opinion: string },
): Promise<void> =>
  kernel.ports.notices.addResult(
    tx,
    {
      businessKey: `ledger.adjust.result:${row.id}:${now}`,
      title: `调账${row.adjustNo}${posted ? '已入账' : '已驳回'}`,
      body: opinion,
      userIds: [row.makerId],
      ...pageLink(kernel, row.book),
    },
    now,
  );
