import type { Instant } from '#kernel/contract/time.ts';
import type { PostCommand } from '../commands.ts';

export { testBooks } from './books.ts';

/** What a child process knows. */
export interface ChaosFacts {
  /** Tells its keys from those of others. */
  name: string;
  doctors: readonly string[];
  now: Instant;
}

/** The n-th transfer of a child: the same command whoever makes it again. */
export function chaosMove({ name, doctors }: ChaosFacts, n: number): PostCommand {
  const key = `chaos:${name}:${n}`;
  const account = (at: number) => ({
    book: 'DOCTOR' as const,
    type: 'DR_PAYABLE',
    owner: { type: 'doctor', id: doctors[at % doctors.length]! },
  });
  const amount = BigInt(1 + ((n * 37) % 90));
  return {
    businessKey: key,
    book: 'DOCTOR',
    type: 'MOVE',
    debit: [{ account: account(n), amount }],
    credit: [{ account: account(n * 7 + 1 + (n % doctors.length === (n * 7 + 1) % doctors.length ? 1 : 0)), amount }],
    ref: { type: 'test', id: key },
    actor: { id: '7', name: '李会计' },
  };
}
