import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { savedWork, type SaveState } from './savedWork.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A desk whose notes are stored by hand: each save waits until it is answered. */
function desk() {
  let typed: string[] = [];
  const sent: string[] = [];
  const states: SaveState[] = [];
  const failures: unknown[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const saver = savedWork<string>(() => ({
    take() {
      const text = typed.join('');
      typed = [];
      return text || null;
    },
    save: (text) => {
      sent.push(text);
      return new Promise((resolve, reject) => void answers.push({ resolve, reject }));
    },
    onState: (state) => void states.push(state),
    onFailure: (error) => void failures.push(error),
  }));
  const type = (letter: string) => {
    typed.push(letter);
    saver.later();
  };
  return { saver, sent, states, failures, answers, type };
}

it('stores a moment after the last letter, all letters at once', async () => {
  const { sent, type, answers, states } = desk();
  type('a');
  await vi.advanceTimersByTimeAsync(299);
  type('b');
  await vi.advanceTimersByTimeAsync(299);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['ab']);
  answers[0]!.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual(['idle', 'idle', 'saving', 'saved']);
  type('c');
  expect(states.at(-1)).toBe('idle');
});

it('stores at once when it goes on, after what is on its way, and says whether all is stored', async () => {
  const { saver, sent, type, answers } = desk();
  expect(await saver.flush()).toBe(true);
  type('a');
  const first = saver.flush();
  type('b');
  const second = saver.flush();
  const nothing = saver.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual(['a']);
  answers[0]!.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a', 'b']);
  answers[1]!.resolve();
  expect(await Promise.all([first, second, nothing])).toEqual([true, true, true]);
});

it('tells a failure once, goes on with what comes after, and sends nothing when the desk is gone', async () => {
  const { saver, sent, type, answers, failures, states } = desk();
  type('a');
  const failed = saver.flush();
  await vi.advanceTimersByTimeAsync(0);
  answers[0]!.reject(new Error('taken over'));
  expect(await failed).toBe(false);
  expect([states, failures]).toMatchObject([['idle', 'saving', 'failed'], [{ message: 'taken over' }]]);
  type('b');
  saver.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual(['a']);
});
