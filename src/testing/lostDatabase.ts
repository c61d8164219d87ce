import { vi } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import type { TestApp } from './testApp.ts';

/**
 * Makes one request whose database goes away once it is known who calls, and is back afterwards.
 * @returns the answer, and whether the database was asked for in vain.
 */
export async function lostUnder<T>(
  app: TestApp,
  access: Call['access']['kind'],
  request: () => Promise<T>,
): Promise<{ answer: T; asked: boolean }> {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  let asked = false;
  const connect = vi.spyOn(app.database.pool, 'connect');
  const goAway = () =>
    void connect.mockImplementation(() => {
      asked = true;
      return Promise.reject(refused);
    });
  /** The session is read first; the calls of strangers and machines begin with their own work. */
  const after = <Args extends unknown[], R>(reader: { read(...args: Args): Promise<R> }) => {
    const read = reader.read.bind(reader);
    return vi.spyOn(reader, 'read').mockImplementation(async (...args: Args) => {
      const caller = await read(...args);
      goAway();
      return caller;
    });
  };
  const { sessions, participants } = app.kernel.ports;
  const spies = [connect, after(sessions), after(participants)];
  if (access === 'public' || access === 'signed') goAway();
  try {
    return { answer: await request(), asked };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
